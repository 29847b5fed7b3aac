import type { MailTexts } from './mail.ts'

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** English. */
export const englishTexts: MailTexts = {
  verification: ({ username, code, minutes }) => ({
    subject: `${code} is your Parley verification code`,
    parts: [
      { paragraph: `Hello ${username},` },
      { paragraph: 'enter this code to confirm your e-mail address:' },
      { code },
      {
        paragraph: `It can be used once, within ${minutes} minutes. If you did not ask for it, you can ignore this mail.`,
      },
    ],
  }),
  emailChanged: ({ username, changedAt }) => ({
    subject: 'The e-mail address of your Parley account was changed',
    parts: [
      { paragraph: `Hello ${username},` },
      {
        paragraph: `on ${dateTime.format(changedAt)} UTC your account was moved to another e-mail address. This address no longer belongs to it.`,
      },
      { paragraph: 'If that was not you, please contact the administrator at once.' },
    ],
  }),
  footer: (origin) => `Sent by Parley at ${origin}`,
}
