import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An HTTP server on loopback. */
export interface TestServer {
  /** Without a path, as `http://127.0.0.1:<port>`. */
  readonly url: string
  readonly port: number
  /** Stops listening and cuts open connections. */
  close(): Promise<void>
}

/** Starts one on a free port. */
export async function startTestServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
