import { once } from 'node:events'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createSecureContext, createServer as createTlsServer, type SecureContext, TLSSocket } from 'node:tls'
import { type Certificate, certificateRouteOf } from '@parley/contracts'
import { afterEach, describe, expect, it } from 'vitest'
import { addCertificateRoute } from '../src/certificates/certificate-route.ts'
import {
  createIdentities,
  createInternalApp,
  createLogger,
  createServiceClient,
  freePort,
  type RunningService,
  startService,
  type TlsServer,
} from '../src/index.ts'
import { cert, dates, key } from './localhost-certificate.ts'

const log = createLogger('test', 'silent')
const identityOf = createIdentities()
const servers: Server[] = []
const sockets = new Set<Socket>()
let service: RunningService | undefined
afterEach(async () => {
  await service?.stop(0)
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

const listening = async (server: Server): Promise<number> => {
  servers.push(server)
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}
/** A server of a protocol that says something before TLS begins. */
const talking = (talk: (socket: Socket, begin: () => void) => void) =>
  listening(
    createTcpServer((socket) => {
      talk(socket, () => {
        socket.removeAllListeners('data')
        const tls = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext({ key, cert }) })
        sockets.add(tls.on('error', () => undefined))
      })
    }),
  )
/** What the service tells the gateway of the certificates of these servers. */
const certificatesOf = async (...known: readonly TlsServer[]): Promise<readonly Certificate[]> => {
  const handler = createInternalApp({ identity: identityOf('notifier'), log }, (router) =>
    addCertificateRoute(router, 'notifier', known),
  )
  const idle = async () => undefined
  service = await startService(
    { name: 'notifier', handler, start: idle, drain: () => undefined, stop: idle },
    { host: '127.0.0.1', port: 0 },
  )
  const { url } = service
  const client = createServiceClient({ self: 'gateway', locate: () => url, identity: identityOf('gateway') })
  try {
    return (await client.call(certificateRouteOf('notifier'))).certificates
  } finally {
    await client.close()
  }
}
const at = (port: number) => ({ host: '127.0.0.1', port })

describe('the certificate of a server', () => {
  it('that speaks TLS from the start is read', async () => {
    const port = await listening(createTlsServer({ key, cert }))
    expect(await certificatesOf(at(port))).toEqual([{ server: `127.0.0.1:${port}`, ...dates }])
  })

  it('that has several certificates is the one for its name', async () => {
    const asked: string[] = []
    const SNICallback = (name: string, answer: (error: null, context: SecureContext) => void) => {
      asked.push(name)
      answer(null, createSecureContext({ key, cert }))
    }
    const port = await listening(createTlsServer({ SNICallback }))
    expect(await certificatesOf({ host: 'localhost', port })).toEqual([{ server: `localhost:${port}`, ...dates }])
    expect(asked).toEqual(['localhost'])
  })

  it('of PostgreSQL is read after its request for TLS', async () => {
    const port = await talking((socket, begin) =>
      socket.once('data', (request: Buffer) => {
        expect(request.readUInt32BE(4)).toBe(80_877_103)
        socket.write('S')
        begin()
      }),
    )
    expect(await certificatesOf({ ...at(port), startTls: 'postgres' })).toMatchObject([dates])
  })

  it('of mail is read after STARTTLS, however its replies are cut', async () => {
    const port = await talking((socket, begin) => {
      socket.write('220-mail.example\r\n2')
      socket.write('20 ready\r\n')
      socket.on('data', (said: Buffer) => {
        if (String(said).startsWith('EHLO')) socket.write('250-mail.example\r\n250 STARTTLS\r\n')
        else {
          socket.write('220 go on\r\n')
          begin()
        }
      })
    })
    expect(await certificatesOf({ ...at(port), startTls: 'smtp' })).toMatchObject([dates])
  })

  it('that offers no TLS, closes the connection or is away is left out, and the others are read', async () => {
    const refusing = await talking((socket) => socket.once('data', () => socket.write('N')))
    const closing = await talking((socket) => socket.end())
    const mail = await talking((socket) => {
      socket.write('220 mail.example\r\n')
      socket.on('data', (said: Buffer) => {
        socket.write(String(said).startsWith('EHLO') ? '250 mail.example\r\n' : '502 unknown\r\n')
      })
    })
    const fine = await listening(createTlsServer({ key, cert }))
    expect(
      await certificatesOf(
        { ...at(refusing), startTls: 'postgres' },
        { ...at(closing), startTls: 'smtp' },
        { ...at(mail), startTls: 'smtp' },
        at(await freePort()),
        at(fine),
      ),
    ).toEqual([{ server: `127.0.0.1:${fine}`, ...dates }])
  })

  it('of a server that never stops talking is given up after a few kilobytes', async () => {
    let sent = 0
    const chunk = 'x'.repeat(65_536)
    const flooding = await talking((socket) => {
      const pump = (): void => {
        if (socket.destroyed) return
        sent += chunk.length
        socket.write(chunk, () => setImmediate(pump))
      }
      pump()
    })
    expect(await certificatesOf({ ...at(flooding), startTls: 'smtp' })).toEqual([])
    // What the buffers of the connection hold is sent in any case.
    expect(sent).toBeLessThan(4 * 1024 * 1024)
  })
})
