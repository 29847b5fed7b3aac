import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Certificate } from '@parley/contracts'
import type { StartTls, TlsServer } from './tls-servers.ts'

/** For all of a handshake, in milliseconds. */
const limitMs = 2_000
/** Characters that a server may say before TLS begins. */
const maxReply = 16_384

/**
 * The certificate that a server presents to a new connection, since an old one knows no renewed certificate. Nothing is sent after the handshake, so
 * the certificate is not verified: who uses the server does that.
 * @throws Error of the connection, or when the server offers no TLS
 */
export async function readCertificate(server: TlsServer): Promise<Certificate> {
  const { host, port, startTls } = server
  const signal = AbortSignal.timeout(limitMs)
  const tcp = connectTcp({ host, port })
  // An error that comes between two waits has no other listener.
  tcp.on('error', () => undefined)
  let socket: Socket = tcp
  const cut = (): void => void socket.destroy(new Error(`no answer within ${limitMs / 1_000} s`))
  signal.addEventListener('abort', cut)
  try {
    await once(tcp, 'connect', { signal })
    if (startTls) await requests[startTls](tcp, signal)
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const tls = connectTls({ socket: tcp, rejectUnauthorized: false, ...servername })
    socket = tls
    await once(tls, 'secureConnect', { signal })
    return certificateOf(tls, server)
  } finally {
    signal.removeEventListener('abort', cut)
    // What it still says is nobody's concern.
    socket.on('error', () => undefined).destroy()
    tcp.destroy()
  }
}

function certificateOf(tls: TLSSocket, { host, port }: TlsServer): Certificate {
  const { valid_from, valid_to } = tls.getPeerCertificate()
  const [startsAt, endsAt] = [new Date(valid_from).toISOString(), new Date(valid_to).toISOString()]
  return { server: `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, startsAt, endsAt }
}

/** PostgreSQL's SSLRequest: its length and its code. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Ask for TLS as the protocol does. Each throws when the server refuses. */
const requests: Readonly<Record<StartTls, (socket: Socket, signal: AbortSignal) => Promise<void>>> = {
  async postgres(socket, signal) {
    socket.write(sslRequest)
    const answer = await readUntil(socket, /^[\s\S]/, signal)
    if (!answer.startsWith('S')) throw new Error('The server offers no TLS')
  },
  async smtp(socket, signal) {
    // The last line of a reply has a space after its code.
    const reply = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/
    await readUntil(socket, reply, signal)
    socket.write('EHLO parley.invalid\r\n')
    await readUntil(socket, reply, signal)
    socket.write('STARTTLS\r\n')
    const answer = await readUntil(socket, reply, signal)
    if (!answer.startsWith('220')) throw new Error('The server offers no TLS')
  },
}

/** All that the server says until it matches. Leaves no listener, so that TLS can go on with the socket. */
async function readUntil(socket: Socket, end: RegExp, limit: AbortSignal): Promise<string> {
  let said = ''
  while (!end.test(said)) {
    const chunk = socket.read() as Buffer | null
    if (said.length > maxReply) throw new Error('The server says too much before TLS')
    if (chunk !== null) said += chunk.toString('latin1')
    else if (socket.readableEnded) throw new Error('The server closed the connection')
    else await moreOrEnd(socket, limit)
  }
  return said
}

async function moreOrEnd(socket: Socket, limit: AbortSignal): Promise<void> {
  const waiting = new AbortController()
  const options = { signal: AbortSignal.any([limit, waiting.signal]) }
  try {
    await Promise.race([once(socket, 'readable', options), once(socket, 'end', options)])
  } finally {
    waiting.abort()
  }
}
