import type { ServerPayload } from '@parley/contracts'
import { openSocket, type SocketClient } from '@parley/testing/socket-client'
import { answerQuestions } from '../process-channel.ts'

/** The users to connect, and the chat that each connection joins. */
export interface SocketsQuestion {
  readonly url: string
  readonly seats: readonly { readonly token: string; readonly chatId: string }[]
}

/** What the sockets received since they joined. */
export interface SocketsReport {
  /** Number of sockets still connected. */
  readonly open: number
  readonly events: number
  /** Events whose sequence number does not follow the previous one. */
  readonly gaps: number
  /** Ends of answers, counted per socket. */
  readonly ends: number
}

const seated: SocketClient[] = []
const heard = { events: 0, gaps: 0, ends: 0 }
/** Connections opened concurrently. */
const atOnce = 50

function listen({ socket }: SocketClient): void {
  let last: { messageId: string; seq: number } | undefined
  socket.on('stream:delta', ({ messageId, seq }: ServerPayload<'stream:delta'>) => {
    heard.events += 1
    if (last?.messageId === messageId && seq !== last.seq + 1) heard.gaps += 1
    last = { messageId, seq }
  })
  socket.on('stream:done', () => {
    heard.ends += 1
  })
}

async function seat(url: string, { token, chatId }: SocketsQuestion['seats'][number]): Promise<void> {
  const client = openSocket(url, { token })
  seated.push(client)
  const joined = new Promise<void>((resolve, reject) => {
    client.socket.once('connect_error', reject)
    client.socket.once('chat:init', () => resolve())
  })
  listen(client)
  client.say('join', { chatId })
  await joined
}

async function take({ url, seats }: SocketsQuestion): Promise<void> {
  for (let from = 0; from < seats.length; from += atOnce) {
    await Promise.all(seats.slice(from, from + atOnce).map((one) => seat(url, one)))
  }
}

answerQuestions({
  take,
  report: (): SocketsReport => ({ ...heard, open: seated.filter(({ socket }) => socket.connected).length }),
})
