import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@parley/kit'

/**
 * Opens a server on the given port, or on a free one. Retries with another free port, since a free one may be taken before the server listens.
 * @throws the error of `open`
 */
export async function atFreePort<T>(port: number | undefined, open: (port: number) => Promise<T>): Promise<T> {
  if (port !== undefined) return open(port)
  for (let left = 3; ; left -= 1) {
    try {
      return await open(await freePort())
    } catch (error) {
      if (left === 0 || !/address already in use/i.test(String(error))) throw error
    }
  }
}

/**
 * Retries until it succeeds.
 * @throws the last error, after `timeoutMs`
 */
export async function retry<T>(act: () => T | Promise<T>, timeoutMs: number): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (Date.now() > end) throw error
      await delay(100)
    }
  }
}

/**
 * Sends text to a server and resolves with the first data of the reply.
 * @throws if the connection fails or nothing arrives for two seconds
 */
export function ask(port: number, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 2_000 })
    const settle = (done: () => void): void => {
      socket.destroy()
      done()
    }
    socket.once('connect', () => socket.write(words))
    socket.once('data', (answer: Buffer) => settle(() => resolve(answer.toString())))
    socket.once('error', (error) => settle(() => reject(error)))
    socket.once('timeout', () => settle(() => reject(new Error(`No reply from port ${port}`))))
    socket.once('end', () => settle(() => reject(new Error(`Port ${port} hangs up`))))
  })
}
