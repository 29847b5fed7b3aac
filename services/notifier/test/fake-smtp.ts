import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: string[]
  /** The raw message. */
  readonly source: string
}
export interface FakeSmtp {
  readonly port: number
  readonly received: ReceivedMail[]
  /** Recipients so far, including refused ones. */
  readonly offered: string[]
  /** Closes the server and its connections. */
  close(): Promise<void>
}
/** A response code, or a whole response. */
type Refusal = number | `${number} ${string}`
/** The server's behaviour: functions return a refusal. */
export interface SmtpManners {
  readonly port?: number
  readonly refuse?: (to: string) => Refusal | undefined
  readonly refuseSender?: () => Refusal | undefined
  readonly refuseMessage?: (to: readonly string[]) => Refusal | undefined
  /** Never answers RCPT TO for these recipients. */
  readonly stall?: (to: string) => boolean
}

/** A real SMTP server. */
export async function startSmtp(manners: SmtpManners = {}): Promise<FakeSmtp> {
  const received: ReceivedMail[] = []
  const offered: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 1,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom(_address, _session, done) {
      done(refusal(manners.refuseSender?.(), 'this sender is not allowed'))
    },
    onRcptTo({ address }, _session, done) {
      offered.push(address)
      if (manners.stall?.(address)) return
      done(refusal(manners.refuse?.(address), `<${address}> is not wanted here`))
    },
    async onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map(({ address }) => address)
      // Fails if the client disconnects in the middle, such as one that is closed at the end of a test.
      const source = await text(stream).catch(() => undefined)
      if (source === undefined) return done()
      const refused = refusal(manners.refuseMessage?.(to), 'this message is not wanted here')
      if (refused === undefined) received.push({ from: mailFrom ? mailFrom.address : '', to, source })
      done(refused)
    },
  })
  // Ignore clients that disconnect in the middle.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(manners.port ?? 0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    offered,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function refusal(response: Refusal | undefined, words: string): Error | undefined {
  if (response === undefined) return undefined
  const [code = '', ...said] = String(response).split(' ')
  return Object.assign(new Error(said.join(' ') || words), { responseCode: Number(code) })
}

/** The header's value, unfolded; undefined when there is none. */
export const headerOf = (mail: ReceivedMail | undefined, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\r?\n[ \t].*)*)`, 'im')
    .exec((mail?.source ?? '').split(/\r?\n\r?\n/, 1)[0] ?? '')?.[1]
    ?.replace(/\r?\n[ \t]+/g, ' ')

/** The decoded text of a part of the message. */
export function partOf(mail: ReceivedMail | undefined, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="([^"]+)"/.exec(mail?.source ?? '')?.[1] ?? 'none'
  const part = mail?.source.split(`--${boundary}`).find((piece) => piece.includes(`Content-Type: ${type}`)) ?? ''
  const [head = '', ...body] = part.split(/\r?\n\r?\n/)
  const encoded = body.join('\n\n')
  if (/base64/i.test(head)) return Buffer.from(encoded, 'base64').toString()
  if (!/quoted-printable/i.test(head)) return encoded
  const bytes = encoded
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
