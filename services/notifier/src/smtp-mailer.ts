import { createTransport } from 'nodemailer'
import type { NotifierServiceConfig } from './config.ts'
import type { Mail } from './mail/mail.ts'
import { permanentRefusal } from './refusal.ts'

export type SmtpMailer = ReturnType<typeof createSmtpMailer>

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
/** Concurrent connections to the SMTP server. */
export const connections = 3

/** A mailer with a small, lazily connected pool. */
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
     * Resolves once the server has accepted the mail, or to `refused` for a permanent failure.
     * @param signal aborts the connection, even if the server keeps it busy
     * @throws Error when a retry may succeed
     */
    async send(mail: Mail, signal: AbortSignal): Promise<{ refused?: string }> {
      const { messageId, to, subject, text, html, locale } = mail
      const headers = { 'auto-submitted': 'auto-generated', 'content-language': locale }
      try {
        // As an object, the address is not parsed for further recipients.
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
