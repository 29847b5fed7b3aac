import { openConnection } from './redis-connection.ts'

/** Milliseconds between two pings of a connection; without a reply it is replaced. */
const proveEveryMs = 1_000

type Redis = ReturnType<typeof openConnection>

/**
 * Two connections for a library that publishes and subscribes by itself. Its commands never fail: while the engine is unavailable, published messages are
 * lost; subscriptions are restored when it is back.
 */
export interface RedisBroadcast {
  readonly publisher: Pick<Redis, 'on' | 'off'> & { publish(channel: string, message: Buffer | string): Promise<void> }
  readonly subscriber: Pick<Redis, 'on' | 'off'> & Readonly<Record<SubscriberCommand, Command>>
  close(): void
}

type SubscriberCommand = 'subscribe' | 'psubscribe' | 'unsubscribe' | 'punsubscribe'
type Command = (...channels: (string | readonly string[])[]) => Promise<void>

/** Never throws: an engine that is not there yet is waited for. @param name of the connections, as the engine lists them */
export function openRedisBroadcast({ url }: { readonly url: string }, name: string): RedisBroadcast {
  const [publishing, subscribing] = [openConnection(url, `${name}-out`), openConnection(url, `${name}-in`)]
  const kept = { subscribe: new Set<string>(), psubscribe: new Set<string>() }
  // The link for commands goes to the same engine and tells of its outages.
  const untold = (): void => undefined
  for (const redis of [publishing, subscribing]) redis.on('error', untold)
  subscribing.on('ready', () => {
    if (kept.subscribe.size > 0) subscribing.subscribe(...kept.subscribe).catch(untold)
    if (kept.psubscribe.size > 0) subscribing.psubscribe(...kept.psubscribe).catch(untold)
  })
  const keep =
    (command: 'subscribe' | 'psubscribe'): Command =>
    async (...channels) => {
      const names = channels.flat()
      for (const channel of names) kept[command].add(channel)
      await subscribing[command](...names).catch(untold)
    }
  const forget =
    (command: 'unsubscribe' | 'punsubscribe', from: Set<string>): Command =>
    async (...channels) => {
      const names = channels.flat()
      for (const channel of names) from.delete(channel)
      await subscribing[command](...names).catch(untold)
    }
  const timer = setInterval(() => {
    for (const redis of [publishing, subscribing]) redis.ping().catch(untold)
  }, proveEveryMs).unref()
  return {
    publisher: {
      on: publishing.on.bind(publishing),
      off: publishing.off.bind(publishing),
      publish: (channel, message) => publishing.publish(channel, message).then(untold, untold),
    },
    subscriber: {
      on: subscribing.on.bind(subscribing),
      off: subscribing.off.bind(subscribing),
      subscribe: keep('subscribe'),
      psubscribe: keep('psubscribe'),
      unsubscribe: forget('unsubscribe', kept.subscribe),
      punsubscribe: forget('punsubscribe', kept.psubscribe),
    },
    close() {
      clearInterval(timer)
      publishing.disconnect()
      subscribing.disconnect()
    },
  }
}
