import { type Finding, reasonOf } from '@parley/kit'
import type { NotifierServiceConfig } from './config.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

/** Whether the SMTP server is there and takes our user; nothing is mailed. */
export async function examineMail(config: Pick<NotifierServiceConfig, 'SMTP_URL' | 'MAIL_FROM'>): Promise<Finding[]> {
  const mailer = createSmtpMailer(config)
  try {
    await mailer.verify()
    return [{ what: 'mail', state: 'fine', found: 'the SMTP server answers, and takes this user' }]
  } catch (error) {
    const advice = 'check host, port, user and password in SMTP_URL; mails wait in the queue for up to a day meanwhile'
    return [{ what: 'mail', state: 'wrong', found: reasonOf(error), advice }]
  } finally {
    mailer.close()
  }
}
