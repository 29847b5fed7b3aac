import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** How a service handles requests to upgrade their connection to another protocol than HTTP. */
export interface Upgrades {
  /** True for those that it is handed; all others are answered as if they had not asked. */
  takes(request: IncomingMessage): boolean
  /** Owns the connection from then on. @param head what came after the request */
  handle(request: IncomingMessage, connection: Duplex, head: Buffer): void
}
