import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A listening server. */
export interface LocalServer {
  readonly url: string
  /** Closes the server and all connections. Idempotent. */
  close(): Promise<void>
}

/** Listens on loopback and resolves to the port; 0 for a free one. @throws the system's error */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Lets an HTTP server listen on loopback. @throws the system's error */
export async function listenHttp(server: HttpServer, port: number): Promise<LocalServer> {
  const taken = await listen(server, port)
  return {
    url: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
