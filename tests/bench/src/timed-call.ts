import { Agent, get, type IncomingMessage } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds from a GET to the last byte of the response, over a keep-alive connection. @throws Error unless the status is 200 */
export async function timedCall(url: string, token: string): Promise<number> {
  const startedAt = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${token}` } }, resolve).once('error', reject)
  })
  for await (const _part of response);
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode} of ${url}`)
  return performance.now() - startedAt
}
