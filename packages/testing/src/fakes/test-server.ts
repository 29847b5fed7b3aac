import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** An HTTP server on loopback, on a free port. */
export async function startTestServer(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    /** Without a path, as `http://127.0.0.1:<port>`. */
    url: `http://127.0.0.1:${port}`,
    port,
    /** Stops listening and cuts open connections. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
