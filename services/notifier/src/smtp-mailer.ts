import { createTransport } from 'nodemailer'
import type { NotifierServiceConfig } from './config.ts'
import type { Mail } from './mail/mail.ts'
import { permanentRefusal } from './refusal.ts'

/** Hands mails to an SMTP server; see `createSmtpMailer`. */
export type SmtpMailer = ReturnType<typeof createSmtpMailer>

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
/** Connections to the SMTP server at once. */
export const connections = 3

/** A mailer over a small pool that connects on demand. */
export function createSmtpMailer({ SMTP_URL, MAIL_FROM }: Pick<NotifierServiceConfig, 'SMTP_URL' | 'MAIL_FROM'>) {
  const transport = createTransport(
    {
      url: SMTP_URL,
      pool: true,
      maxConnections: connections,
      ...timeouts,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: MAIL_FROM },
  )
  return {
    /**
     * Resolves once the server has taken the mail over, or to `refused` when it never will.
     * @param signal cuts the connection, also of a server that keeps it busy without end
     * @throws Error when another attempt may succeed
     */
    async send(mail: Mail, signal: AbortSignal): Promise<{ refused?: string }> {
      const { messageId, to, subject, text, html, locale } = mail
      const headers = { 'auto-submitted': 'auto-generated', 'content-language': locale }
      try {
        // The address as a field of its own is not parsed for further recipients.
        await transport.sendMail({ messageId: `<${messageId}>`, to: { ...to }, subject, text, html, headers, signal })
        return {}
      } catch (error) {
        const refused = permanentRefusal(error)
        if (refused === undefined) throw error
        return { refused }
      }
    },
    /** Connects and signs in. @throws Error of the connection or of the server */
    verify: () => transport.verify(),
    /** Idempotent. */
    close: (): void => transport.close(),
  }
}
