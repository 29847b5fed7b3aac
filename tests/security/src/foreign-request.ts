import { once } from 'node:events'
import { request } from 'node:http'

/** What a request came to; 101 when the connection became a WebSocket. */
export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Asks as a program may that writes `Host` and `Origin` as it likes. */
export function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { headers, agent: false })
    asking.on('upgrade', (_answer, socket) => {
      socket.destroy()
      resolve({ status: 101, body: undefined })
    })
    asking.on('response', async (answer) => {
      const text = (await answer.toArray()).join('')
      resolve({ status: answer.statusCode ?? 0, body: text.startsWith('{"error"') ? JSON.parse(text) : undefined })
    })
    asking.on('error', reject)
    asking.end()
  })
}

/** The headers of a request that wants to become a WebSocket. */
export const wantsSocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const

/** A WebSocket whose client says nothing, not even when it is told that the connection ends. */
export function openSilentSocket(url: string): Promise<{ readonly closed: Promise<unknown> }> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/socket.io/?EIO=4&transport=websocket`, { headers: wantsSocket, agent: false })
    asking.on('upgrade', (_answer, socket) => {
      socket.on('error', () => undefined).resume()
      resolve({ closed: once(socket, 'close') })
    })
    asking.on('error', reject)
    asking.end()
  })
}
