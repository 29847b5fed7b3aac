import type { Message } from '@parley/contracts'
import type { ApiCaller } from '@parley/testing'
import type { SocketClient } from '@parley/testing/socket-client'

/** A device's copy of a chat, merged from the events of its sockets. */
export interface ThreadReplica {
  /** Merges the events of this client until it is closed. */
  follow(client: SocketClient): void
  /** Each message as `id content`, oldest first. */
  thread(): string[]
  /** Protocol violations: gaps and duplicates. */
  readonly faults: string[]
}

interface Held {
  message: Message
  /** The number of the last merged event; undefined once complete. */
  seq: number | undefined
}

/** A minimal client: after each `chat:init` it fetches what it lacks, and merges later events by number. */
export function createReplica(api: ApiCaller, chatId: string): ThreadReplica {
  const held = new Map<string, Held>()
  const faults: string[] = []
  const fetchAll = async (): Promise<void> => {
    const { body } = await api.get(`/api/chat/history/${chatId}?limit=200`)
    for (const message of (body as { messages: Message[] }).messages) {
      if (message.status !== 'generating') held.set(message.id, { message, seq: undefined })
    }
  }
  const hold = (message: Message, seq: number | undefined): void => {
    if (held.get(message.id)?.seq === undefined && held.has(message.id)) return
    held.set(message.id, { message, seq })
  }
  return {
    faults,
    follow({ socket }) {
      // Numbers are contiguous per connection.
      const last = new Map<string, number>()
      socket.on('chat:init', ({ generating }) => {
        if (generating !== undefined) {
          const { messageId: id, content, lastEventId } = generating
          last.set(id, lastEventId)
          hold({ id, content, status: 'generating', createdAt: new Date().toISOString() } as Message, lastEventId)
        }
        // One that is still under way when the system is closed has no effect.
        fetchAll().catch((error: unknown) => faults.push(`the chat was not fetched: ${error}`))
      })
      socket.on('msg:append', ({ message }: { message: Message }) => {
        if (message.status === 'generating') last.set(message.id, 0)
        if (message.status !== 'generating') held.set(message.id, { message, seq: undefined })
        else hold(message, 0)
      })
      socket.on('stream:delta', ({ messageId, seq, text = '' }) => {
        const before = last.get(messageId)
        if (before === undefined || seq !== before + 1) faults.push(`${messageId}: ${seq} after ${before}`)
        last.set(messageId, seq)
        const one = held.get(messageId)
        if (one?.seq === undefined || seq <= one.seq) return
        if (seq !== one.seq + 1) faults.push(`${messageId}: lacks ${one.seq + 1} to ${seq - 1}`)
        held.set(messageId, { message: { ...one.message, content: one.message.content + text }, seq })
      })
      socket.on('stream:done', ({ messageId }) => {
        if (!last.has(messageId)) faults.push(`${messageId}: an end without a beginning`)
      })
    },
    thread: () =>
      [...held.values()]
        .map(({ message }) => message)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
        .map(({ id, content }) => `${id} ${content}`),
  }
}
