import type { ServerEvent, ServerPayload } from '@parley/contracts'
import { apiOrigin } from '../api/index.ts'
import { getSession } from '../session/index.ts'
import type { LiveSocket, SocketReports } from './live.ts'

const connectTimeoutMs = 20_000
/** The server's events that this page knows, but for the one that is the line's own. */
const events: readonly ServerEvent[] = [
  'joined',
  'left',
  'chat:error',
  'chat:init',
  'msg:append',
  'stream:delta',
  'stream:tool',
  'stream:websearch',
  'stream:done',
  'chat:update',
  'chat:delete',
  'chats:delete',
  'user:update',
  'models:update',
]

/** A socket of the API's, which signs in with the token that is current when it connects. Its code is loaded with the first one. */
export async function openSocket(reports: SocketReports): Promise<LiveSocket> {
  const [{ io }, origin] = await Promise.all([import('socket.io-client'), apiOrigin()])
  const socket = io(`${origin}/realtime`, {
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    forceNew: true,
    // Its own way of reconnecting knows neither expired tokens nor the tab's coming back.
    reconnection: false,
    timeout: connectTimeoutMs,
    auth: (give) => give({ token: getSession().token }),
  })
  let farewell: string | null = null
  socket.on('goodbye', ({ code }: ServerPayload<'goodbye'>) => {
    farewell = code
  })
  socket.on('connect', () => {
    farewell = null
    reports.connected()
  })
  socket.on('connect_error', (error) => reports.lost(codeOf(error)))
  socket.on('disconnect', (reason) => {
    if (reason !== 'io client disconnect') reports.lost(farewell)
  })
  for (const event of events) socket.on(event, (payload: unknown) => reports.told(event, payload))
  return {
    connect: () => void socket.connect(),
    disconnect: () => void socket.disconnect(),
    emit: (event, payload) => void socket.emit(event, payload),
  }
}

/** The code that the server gave with a refusal; null where it could not even be reached. */
function codeOf({ data }: Error & { readonly data?: unknown }): string | null {
  const code = typeof data === 'object' && data !== null ? (data as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : null
}
