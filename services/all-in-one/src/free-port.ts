import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** The port itself, or for 0 one that nobody uses now; needed before listening because the public URL names it. */
export async function freePort(port: number, host: string): Promise<number> {
  if (port !== 0) return port
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}
