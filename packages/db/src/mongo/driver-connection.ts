import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

interface DriverConnection {
  /** Why it was closed. */
  readonly error: Error | null
}
type DriverConnectionType = new (socket: Socket, options: object) => DriverConnection

/**
 * The driver's connection, whose writes fail when it is closed. As it comes, one that the socket does not take at once waits for `drain` or an error,
 * and a socket that is being closed tells neither: such an operation never ends, nor does the check of a server, without which the driver never connects
 * again.
 */
export function connectionThatEnds(): DriverConnectionType {
  // The driver is a dependency of mongoose, not of this package.
  const requireOfMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'))
  const { Connection } = requireOfMongoose('mongodb/lib/cmap/connection.js') as { Connection: DriverConnectionType }
  return class extends Connection {
    constructor(socket: Socket, options: object) {
      super(socket, options)
      // After the driver's own listener, which notes why.
      socket.once('close', () => socket.emit('error', this.error))
    }
  }
}
