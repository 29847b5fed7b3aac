import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A port that is free at the moment, for callers who must name it before listening; another process may take it meanwhile. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
