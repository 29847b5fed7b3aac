import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { answerErrors, type Clock, createOwnAddresses, hostInUrl, listen, type NewId, type Tools } from '@parley/kit'
import express from 'express'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { type Mail, type Mailbox, openMailbox } from './mailbox.ts'
import { inboxPage } from './page.ts'

/** An SMTP server that stores all mail, and a page that shows it. Without authentication. */
export interface Inbox {
  readonly smtpUrl: string
  /** The page; `GET /messages?to=` returns the same as JSON. */
  readonly url: string
  close(): Promise<void>
}

export interface InboxOptions extends Pick<Tools, 'log' | 'now' | 'newId'> {
  readonly folder: string
  /** The port of the page; 0 for a free one. */
  readonly port: number
  /** The port of the SMTP server; a free one by default. */
  readonly smtpPort?: number
  /** The host of both servers; loopback by default. */
  readonly host?: string
  /** Origins of the page besides loopback names; none by default. */
  readonly extraOrigins?: readonly string[]
}

/** Starts both servers. */
export async function startInbox(options: InboxOptions): Promise<Inbox> {
  const { host = '127.0.0.1', smtpPort: wantedSmtpPort = 0 } = options
  const mailbox = await openMailbox(options.folder)
  const smtp = startSmtp(mailbox, options)
  const smtpServer = smtp.listen(wantedSmtpPort, host)
  await once(smtpServer, 'listening')
  const web = await listen(inboxApp(mailbox, options), { host, port: options.port })
  return {
    smtpUrl: `smtp://${hostInUrl(host)}:${(smtpServer.address() as AddressInfo).port}`,
    url: web.url,
    async close() {
      await Promise.all([new Promise<void>((resolve) => smtp.close(() => resolve())), web.close(0)])
    },
  }
}

function startSmtp(mailbox: Mailbox, { log, now, newId }: InboxOptions): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    size: 5 * 1024 * 1024,
    onData(stream, _session, done) {
      receive(stream, now, newId)
        .then((mails) => Promise.all(mails.map((mail) => mailbox.add(mail))))
        .then(() => done(), done)
    },
  })
  smtp.on('error', (error) => log.warn({ err: error }, 'mail connection failed'))
  return smtp
}

async function receive(stream: NodeJS.ReadableStream, now: Clock, newId: NewId): Promise<Mail[]> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  const mail = await PostalMime.parse(Buffer.concat(chunks))
  return (mail.to ?? []).map((recipient) => ({
    id: newId(),
    to: recipient.address ?? '',
    from: mail.from?.address ?? '',
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    at: now().toISOString(),
  }))
}

function inboxApp(mailbox: Mailbox, { extraOrigins, log }: InboxOptions): express.Express {
  const app = express()
  const own = createOwnAddresses('http://localhost', extraOrigins)
  app.disable('x-powered-by')
  app.use(({ headers }, response, next) => {
    // Mails are untrusted: nothing on this page may run or load.
    response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'no-store')
    // Prevents DNS rebinding, by which a foreign page could read codes and links.
    own.refuseForeignHost(headers)
    own.refuseForeignOrigin(headers)
    next()
  })
  app.get('/messages', async (request, response) => {
    const { to } = request.query
    response.json(await mailbox.list(typeof to === 'string' ? to : undefined))
  })
  app.get('/', async (_request, response) => {
    response.type('html').send(inboxPage(await mailbox.list()))
  })
  app.use(answerErrors(log))
  return app
}
