import { type ClientRequest, request } from 'node:http'
import type { Principal } from '@parley/contracts'
import { identity, type Replica } from './given-chat.ts'

/** Bytes per second: too few to keep a slot for bodies, and enough not to be refused. */
const slowBytes = 20 * 1024

/**
 * Begins so many requests of one user with large bodies that come slowly. Resolves when the beginnings were sent, to what breaks them off and tells whether
 * any of them was answered before.
 */
export async function startSlowSenders(
  chat: Replica,
  path: string,
  user: Principal,
  count: number,
): Promise<() => boolean> {
  const headers = { 'content-type': 'application/json', 'content-length': '5000000', 'x-identity': identity.sign(user) }
  let isAnswered = false
  const begin = async (): Promise<ClientRequest> => {
    const sending = request(chat.running.url + path, { method: 'POST', headers, agent: false })
    // Broken off in the end.
    sending
      .on('error', () => undefined)
      .once('response', () => {
        isAnswered = true
      })
    await new Promise((resolve) => sending.write('{"message":"', resolve))
    const more = setInterval(() => sending.write('x'.repeat(slowBytes)), 1_000)
    sending.once('close', () => clearInterval(more))
    return sending
  }
  const sendings = await Promise.all(Array.from({ length: count }, begin))
  return () => {
    for (const sending of sendings) sending.destroy()
    return isAnswered
  }
}
