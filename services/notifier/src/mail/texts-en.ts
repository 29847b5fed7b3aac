import type { MailContent, MailPart, MailTexts } from './mail.ts'

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })
const moment = (at: Date): string => `${dateTime.format(at)} UTC`
const duration = (minutes: number): string => (minutes === 1 ? '1 minute' : `${minutes} minutes`)

const paragraph = (text: string): MailPart => ({ paragraph: text })
const note = (text: string): MailPart => ({ note: text })
const button = (label: string, link: string): MailPart => ({
  button: label,
  link,
  otherwise: 'If the button does not work, copy this address into your browser:',
})
const mail = (subject: string, username: string, ...parts: MailPart[]): MailContent => ({
  subject,
  parts: [paragraph(`Hello ${username},`), ...parts],
})

const mails: MailTexts['mails'] = {
  verification: ({ username, code, minutes }) =>
    mail(
      `${code} is your Parley verification code`,
      username,
      paragraph('Enter this code to confirm your e-mail address:'),
      { code },
      note(`It can be used once, within ${duration(minutes)}. Nobody from Parley will ever ask you for it.`),
      note('If you did not ask for a code, you can ignore this mail.'),
    ),
  'password-reset': ({ username, link, minutes }) =>
    mail(
      'Reset your Parley password',
      username,
      paragraph('Somebody, hopefully you, asked for a new password for your account. You can choose one here:'),
      button('Choose a new password', link),
      note(
        `The link works once, within ${duration(minutes)}. Using it signs you out on all devices and disconnects single sign-on, which you can connect again with the new password.`,
      ),
      note('If you did not ask for it, you can ignore this mail. Your password stays as it is.'),
    ),
  'password-changed': ({ username, changedAt, resetLink }) =>
    mail(
      'Your Parley password was changed',
      username,
      paragraph(
        `The password of your account was changed on ${moment(changedAt)}. Your other devices were signed out. If you did this, there is nothing more to do.`,
      ),
      paragraph('If it was not you, choose a new password now and tell the administrator:'),
      button('Reset my password', resetLink),
    ),
  'identity-linked': ({ username, linkedAt, resetLink }) =>
    mail(
      'Single sign-on was connected to your Parley account',
      username,
      paragraph(
        `Since ${moment(linkedAt)} your account can be entered with single sign-on as well as with your password. If you did this, there is nothing more to do.`,
      ),
      paragraph(
        'If it was not you, choose a new password with "Forgot password" now, which disconnects single sign-on and signs all devices out, and tell the administrator:',
      ),
      button('Reset my password', resetLink),
    ),
  'email-changed': ({ username, changedAt }) =>
    mail(
      'The e-mail address of your Parley account was changed',
      username,
      paragraph(
        `On ${moment(changedAt)} your account was moved to another e-mail address. This address no longer belongs to it. If you did this, there is nothing more to do.`,
      ),
      paragraph('If it was not you, please contact the administrator at once.'),
    ),
  'credit-warning': ({ username, usagePercentage, resetDate, link }) =>
    mail(
      usagePercentage >= 100
        ? 'You have used all of this month’s Parley credits'
        : `You have used ${usagePercentage}% of this month’s Parley credits`,
      username,
      paragraph(
        usagePercentage >= 100
          ? 'You have used all the credits that your plan has for this month.'
          : `You have used ${usagePercentage}% of the credits that your plan has for this month.`,
      ),
      paragraph(`Your next month begins with full credits on ${date.format(resetDate)}.`),
      button('Open Parley', link),
      note('This mail comes at most once a month.'),
    ),
  'data-export': ({ username, link, expiresAt }) =>
    mail(
      'Your Parley data is ready',
      username,
      paragraph('The copy of your data that you asked for is ready: a ZIP with your account, chats and files.'),
      button('Download my data', link),
      note(
        `The link works until ${moment(expiresAt)}. Whoever has it can download your data, so please do not forward this mail.`,
      ),
      note('If you did not ask for it, change your password and end your other sessions in your profile.'),
    ),
  'account-deleted': ({ username, erasedAt }) =>
    mail(
      'Your Parley account was deleted',
      username,
      paragraph(
        `Your account and everything it owned, such as chats, files and settings, was erased on ${moment(erasedAt)}. This cannot be undone.`,
      ),
      paragraph(
        'This is the last mail to this address. If you did not delete your account, please contact the administrator.',
      ),
    ),
}

/** English. */
export const englishTexts: MailTexts = {
  mails,
  footer: (origin) => `Sent by Parley at ${origin}. Nobody reads answers to this mail.`,
}
