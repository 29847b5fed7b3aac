import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@parley/kit'

/**
 * Opens a server at the port it was told, or at a free one; somebody may take that before the server does, so then at another.
 * @throws what `open` throws
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
 * Tries until it succeeds.
 * @throws what it threw last, after `timeoutMs`
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
 * Says something to a server and resolves with the first thing it answers.
 * @throws when nobody listens or nothing comes for two seconds
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
    socket.once('timeout', () => settle(() => reject(new Error(`Nothing comes from port ${port}`))))
    socket.once('end', () => settle(() => reject(new Error(`Port ${port} hangs up`))))
  })
}
