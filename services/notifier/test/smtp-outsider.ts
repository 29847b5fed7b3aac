import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: string[]
  /** The message as it came over the wire. */
  readonly source: string
}
export interface SmtpOutsider {
  readonly port: number
  readonly received: ReceivedMail[]
  /** Recipients offered so far, refused ones too. */
  readonly offered: string[]
  close(): Promise<void>
}

/** A real SMTP server. @param refuse the reply's code for a recipient, when it is not wanted */
export async function startSmtp(
  options: { port?: number; refuse?: (to: string) => number | undefined } = {},
): Promise<SmtpOutsider> {
  const received: ReceivedMail[] = []
  const offered: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      offered.push(address)
      const code = options.refuse?.(address)
      if (code === undefined) done()
      else done(Object.assign(new Error('not wanted here'), { responseCode: code }))
    },
    async onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const source = await text(stream)
      received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), source })
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    offered,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The header's value, unfolded; undefined when there is none. */
export const headerOf = (mail: ReceivedMail | undefined, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\r?\n[ \t].*)*)`, 'im').exec(mail?.source ?? '')?.[1]?.replace(/\r?\n[ \t]+/g, ' ')
