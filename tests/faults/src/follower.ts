import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes, type Message, type ServerPayload } from '@parley/contracts'
import { type ApiCaller, waitUntil } from '@parley/testing'
import { openSocket, type SocketClient } from '@parley/testing/socket-client'
import type { Received } from './listener.ts'

/** The user whose answer is followed. */
export interface Reader {
  readonly api: ApiCaller
  readonly token: string
}

/** A second tab of the listening user: it reads the same answer over a socket. */
export type Follower = ReturnType<typeof follow>

/** Milliseconds before a refused connection or join is retried. */
const againMs = 300
const patienceMs = 180_000

interface Copy {
  text: string
  /** Sequence number of the last event merged into the text. */
  seq: number
  isWhole: boolean
}

/** How clients connect: as the browser does, as the client library does by default, and as it does where WebSockets are blocked. */
const waysToConnect = [['websocket'], ['polling', 'websocket'], ['polling']] as const

/** Follows the answer of `received` across lost connections; merges events as the browser does. @param nth takes turns at the ways to connect */
export function follow(url: string, { api, token }: Reader, received: Received, nth: number) {
  const copy: Copy = { text: '', seq: 0, isWhole: false }
  const faults: string[] = []
  const transports = waysToConnect[nth % waysToConnect.length] ?? []
  const client = openSocket(
    url,
    { token },
    { transports: [...transports], reconnection: true, reconnectionDelay: 100, reconnectionDelayMax: 500 },
  )
  let connections = 0
  let isOver = false
  let isFollowing = false
  const again = async (act: () => void): Promise<void> => {
    await pause(againMs)
    if (!isOver) act()
  }
  const takeStored = async (): Promise<void> => {
    const { status, body } = await api.call(chatRoutes.get, { params: { id: received.chatId }, query: { limit: 50 } })
    if (status !== 200) throw new Error(`The chat was answered with ${status}`)
    const stored = body.messages.find(({ id }) => id === received.messageId)
    if (stored !== undefined) takeWhole(copy, stored)
  }
  const join = async (): Promise<void> => {
    await waitUntil(() => received.chatId, 'the chat', patienceMs, 50).catch(() => undefined)
    client.say('join', { chatId: received.chatId })
  }
  client.socket.on('connect', () => {
    connections += 1
    void join()
  })
  reconnect(client, () => void again(() => client.socket.connect()))
  client.socket.on('chat:error', () => void again(() => void join()))
  client.socket.on('chat:init', ({ generating }: ServerPayload<'chat:init'>) => {
    isFollowing = true
    if (generating?.messageId !== received.messageId) {
      takeStored().catch(() => again(() => void join()))
    } else if (generating.lastEventId >= copy.seq) {
      Object.assign(copy, { text: generating.content, seq: generating.lastEventId })
    }
  })
  client.socket.on('stream:delta', ({ messageId, seq, text = '' }: ServerPayload<'stream:delta'>) => {
    if (messageId !== received.messageId || seq <= copy.seq) return
    if (seq !== copy.seq + 1) faults.push(`${seq} after ${copy.seq}`)
    Object.assign(copy, { text: copy.text + text, seq })
  })
  client.socket.on('msg:append', ({ message }: ServerPayload<'msg:append'>) => {
    if (message.id === received.messageId) takeWhole(copy, message)
  })
  return {
    /** The message whose answer is followed. */
    said: received.said,
    /** Sequence numbers of events that followed a gap. */
    faults,
    /** The answer's text, merged from the received events. */
    get text() {
      return copy.text
    },
    /** Whether it has received the chat's current state. */
    get isFollowing() {
      return isFollowing
    },
    /** Connections after the first one. */
    get reconnections() {
      return Math.max(0, connections - 1)
    },
    /** Resolves to true once the answer has ended, or to false after a timeout; stops following. */
    async ended(): Promise<boolean> {
      await waitUntil(() => copy.isWhole, 'the end', patienceMs, 50).catch(() => undefined)
      isOver = true
      client.close()
      return copy.isWhole
    },
  }
}

/** The client library does not reconnect by itself after a refusal or a disconnect by the server. */
function reconnect({ socket }: SocketClient, again: () => void): void {
  socket.on('disconnect', () => {
    if (!socket.active) again()
  })
  socket.on('connect_error', () => {
    if (!socket.active) again()
  })
}

function takeWhole(copy: Copy, { status, content }: Message): void {
  if (status !== 'generating') Object.assign(copy, { text: content, isWhole: true })
}
