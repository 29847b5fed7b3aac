import { once } from 'node:events'
import { request } from 'node:http'

/** The response to a request; status 101 when the connection became a WebSocket. */
export interface Answered {
  readonly status: number
  readonly body: unknown
}

/** Sends a request with arbitrary `Host` and `Origin` headers. */
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

/** Headers of a WebSocket upgrade request. */
export const wantsSocket = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
} as const

/** A WebSocket whose client sends nothing, and does not even answer the close frame. */
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
