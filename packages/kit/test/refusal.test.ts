import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { AppError, refuseUnreadable, writeRefusal } from '../src/index.ts'

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code })

it.each<[string, number, (connection: Socket) => void]>([
  ['that is not HTTP', 400, (connection) => refuseUnreadable(connection, failure('HPE_INVALID_METHOD'))],
  ['that is too slow', 408, (connection) => refuseUnreadable(connection, failure('ERR_HTTP_REQUEST_TIMEOUT'))],
  ['to upgrade', 421, (connection) => writeRefusal(connection, new AppError('misdirected_request', 'Elsewhere'))],
])(
  'the connection of a refused request %s is freed although its client never closes it',
  async (_what, status, act) => {
    // Half open, as connections of an HTTP server are.
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('utf8')
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    try {
      const [connection] = (await once(server, 'connection')) as [Socket]
      act(connection)
      await once(client, 'end')
      expect(text).toContain(`HTTP/1.1 ${status} Refused\r\n`)
      if (!connection.destroyed) await once(connection, 'close')
    } finally {
      client.destroy()
      server.close()
    }
  },
)
