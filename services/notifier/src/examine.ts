import { type Finding, reasonOf } from '@parley/kit'
import type { NotifierServiceConfig } from './config.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

/** Checks that the SMTP server is reachable and accepts the credentials; sends no mail. */
export async function examineMail(config: Pick<NotifierServiceConfig, 'SMTP_URL' | 'MAIL_FROM'>): Promise<Finding[]> {
  const mailer = createSmtpMailer(config)
  try {
    await mailer.verify()
    return [{ what: 'mail', state: 'fine', found: 'the SMTP server answers and accepts the credentials' }]
  } catch (error) {
    const advice = 'check host, port, user and password in SMTP_URL; meanwhile mails stay queued for up to a day'
    return [{ what: 'mail', state: 'wrong', found: reasonOf(error), advice }]
  } finally {
    mailer.close()
  }
}
