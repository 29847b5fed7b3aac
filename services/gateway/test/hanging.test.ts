import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiCaller, type ApiClient, untilPasses } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Backend, startBackend } from './backend.ts'
import { plainRights } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

/** Routes each new connection to the current replica, as a load balancer does. */
interface Balancer {
  readonly url: string
  replica: Backend
  connections: number
  close(): void
}

async function startBalancer(first: Backend): Promise<Balancer> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    balancer.connections += 1
    const outgoing = connect(Number(new URL(balancer.replica.url).port), '127.0.0.1')
    for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => undefined))
    incoming.pipe(outgoing).pipe(incoming)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replica: first,
    connections: 0,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return balancer
}

describe('a replica of a service that hangs', () => {
  let given: Given
  let [hanging, sound]: Backend[] = []
  let balancer: Balancer
  let client: ApiClient
  let ann: ApiCaller
  beforeEach(async () => {
    ;[hanging, sound] = [await startBackend(), await startBackend()]
    balancer = await startBalancer(hanging)
    // Leaving at once takes some time on a busy machine.
    const relayTimes = { answerMs: 60_000, streamMs: 60_000, suspectMs: 2_000 }
    given = await givenGateway({ relayTimes, chatUrl: () => balancer.url })
    given.auth.users.set('ann', { active: true, rights: plainRights })
    client = given.api
    ann = client.with({ authorization: `Bearer ${await given.auth.token('ann')}` })
  })
  afterEach(async () => {
    await given.close()
    balancer.close()
    await Promise.all([hanging, sound].map((one) => one?.close()))
  })

  const history = async (signal?: AbortSignal): Promise<number> =>
    (await ann.get('/api/chat/history', { signal })).status

  /** Sends a request and leaves after this many milliseconds without a response. Resolves once the replica's connection is closed. */
  const giveUp = async (ms: number): Promise<void> => {
    const before = hanging?.received.length ?? 0
    const left = new Promise<void>((resolve) => {
      if (hanging) hanging.answer = (_request, response) => void response.once('close', resolve)
    })
    const leaving = new AbortController()
    const asked = history(leaving.signal)
    await untilPasses(() => expect(hanging?.received).toHaveLength(before + 1))
    await pause(ms)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    await left
  }

  it('loses its kept connections to the first caller whose wait timed out, and to none who left at once', async () => {
    // Four connections are kept.
    const waiting: (() => void)[] = []
    if (hanging) hanging.answer = (_request, response) => void waiting.push(() => response.end('{}'))
    const asked = Array.from({ length: 4 }, () => history())
    await untilPasses(() => expect(waiting).toHaveLength(4))
    for (const answer of waiting) answer()
    expect(await Promise.all(asked)).toEqual([200, 200, 200, 200])
    if (sound) balancer.replica = sound
    await giveUp(0)
    expect([balancer.connections, sound?.received]).toEqual([4, []])
    await giveUp(2_200)
    expect(await history(AbortSignal.timeout(5_000))).toBe(200)
    expect(await history(AbortSignal.timeout(5_000))).toBe(200)
    expect([balancer.connections, sound?.received.length]).toEqual([5, 2])
  })
})
