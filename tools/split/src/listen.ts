import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** A server with an address. */
export interface LocalServer {
  readonly url: string
  /** Ends every connection to it. Idempotent. */
  close(): Promise<void>
}

/** Listens on the loopback and resolves to the port; 0 takes a free one. @throws the system's error when it cannot */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Makes an HTTP server one of the loopback. @throws the system's error when it cannot listen */
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
