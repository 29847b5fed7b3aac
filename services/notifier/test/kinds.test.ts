import { type MailKind, mailKinds } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { headerOf, partOf } from './fake-smtp.ts'
import { type GivenNotifier, givenNotifier } from './given.ts'

let given: GivenNotifier
beforeAll(async () => {
  given = await givenNotifier()
  await Promise.all([given.start(), given.start()])
})
afterAll(() => given.stop())

const userId = newId()
const linkedId = newId()
const subject = newId()
const resetDate = '2030-02-01T00:00:00.000Z'
const onThe15th = 'January 15, 2030 at 12:00 PM UTC'
const person = (kind: MailKind) => ({ to: `${kind}+x@example.test` })

interface Expected {
  readonly happens: () => Promise<{ readonly id: string }>
  /** The id by which auth knows the recipient. */
  readonly about: string
  readonly subject: string
  readonly says: readonly string[]
  readonly links: readonly string[]
}
const kinds: { readonly [K in Exclude<MailKind, 'verification'>]: Expected } = {
  'password-reset': {
    happens: () =>
      given.happened('auth.password-reset-requested', subject, { resetId: subject }, person('password-reset')),
    about: subject,
    subject: 'Reset your Parley password',
    says: ['once, within 30 minutes', 'Your password stays as it is'],
    links: [
      'https://chat.example.test/password-reset?token=reset%2Btoken%2FN%3D&email=password-reset%2Bx%40example.test',
    ],
  },
  'password-changed': {
    happens: () => given.happened('auth.password-changed', userId, { userId }, person('password-changed')),
    about: userId,
    subject: 'Your Parley password was changed',
    says: [`changed on ${onThe15th}`, 'If it wasn’t you'],
    links: ['https://chat.example.test/password-reset'],
  },
  'identity-linked': {
    happens: () => given.happened('auth.identity-linked', linkedId, { userId: linkedId }, person('identity-linked')),
    about: linkedId,
    subject: 'Single sign-on was connected to your Parley account',
    says: [`Since ${onThe15th}`, 'If it wasn’t you', 'Forgot password', 'disconnects single sign-on'],
    links: ['https://chat.example.test/password-reset'],
  },
  'email-changed': {
    happens: () =>
      given.happened('auth.email-changed', subject, { userId, emailChangeId: subject }, person('email-changed')),
    about: subject,
    subject: 'The email address of your Parley account was changed',
    says: [`On ${onThe15th}`, 'contact your administrator right away'],
    links: [],
  },
  'credit-warning': {
    happens: () =>
      given.happened(
        'billing.credit-warning-reached',
        userId,
        { userId, usagePercentage: 83, threshold: 80, resetDate },
        person('credit-warning'),
      ),
    about: userId,
    subject: 'You have used 83% of this month’s Parley credits',
    says: ['used 83% of the credits', 'on February 1, 2030'],
    links: ['https://chat.example.test/'],
  },
  'data-export': {
    happens: () =>
      given.happened('auth.data-export-ready', subject, { userId, exportId: subject }, person('data-export')),
    about: subject,
    subject: 'Your Parley data is ready',
    says: [`until ${onThe15th}`, 'don’t forward'],
    links: [`https://chat.example.test/data-export#id=${subject}&token=export%2Btoken%2FN%3D`],
  },
  'account-deleted': {
    happens: () => given.happened('auth.user-erased', subject, { erasureId: subject }, person('account-deleted')),
    about: subject,
    subject: 'Your Parley account was deleted',
    says: [`permanently deleted on ${onThe15th}`, 'the last email'],
    links: [],
  },
}

const decoded = (html: string): string =>
  html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
/** Decodes encoded words in Q encoding, RFC 2047. */
const decodedHeader = (value = ''): string =>
  value.replace(/\?= =\?/g, '?==?').replace(/=\?utf-8\?q\?(.*?)\?=/gi, (_whole, text: string) =>
    decodeURIComponent(
      text
        .replaceAll('_', ' ')
        .replaceAll('%', '%25')
        .replace(/=([0-9A-F]{2})/g, '%$1'),
    ),
  )
/** Links, with N for the number of the issued secret. */
const linksOf = (text: string): string[] => [
  ...new Set(text.match(/https?:\/\/[^\s"<]+(?<![.,])/g)?.map((link) => link.replace(/(token%2F)\d+/, '$1N'))),
]

it('every kind of mail has a test case, here or in the tests of verification mails', () => {
  expect(Object.keys(kinds).toSorted()).toEqual(mailKinds.filter((kind) => kind !== 'verification').toSorted())
})

it.each(Object.entries(kinds))('%s sends one mail with the same content as text and HTML', async (kind, expected) => {
  const event = await expected.happens()
  for (let n = 0; n < 3; n += 1) await given.bus.publish([event as never])
  await expect.poll(() => given.stateOf(event.id)).toBe('sent')
  const settled = { kind, subjectId: expected.about, outcome: 'sent', reason: null }
  await expect.poll(() => given.settled.filter((told) => told.kind === kind)).toEqual([settled])
  const mails = given.smtp().received.filter(({ to }) => to.includes(person(kind as MailKind).to))
  expect(mails).toHaveLength(1)
  const [mail] = mails
  expect(mail?.to).toEqual([person(kind as MailKind).to])
  expect(decodedHeader(headerOf(mail, 'Subject'))).toBe(expected.subject)
  expect(headerOf(mail, 'Message-ID')).toBe(`<${event.id}@chat.example.test>`)
  expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated')
  const [text, html] = [partOf(mail, 'text/plain').replaceAll(/\s+/g, ' '), decoded(partOf(mail, 'text/html'))]
  for (const words of ['Hello ann', ...expected.says]) {
    expect(text).toContain(words)
    expect(html).toContain(words)
  }
  const origin = 'https://chat.example.test'
  expect(linksOf(text).filter((link) => link !== origin)).toEqual(expected.links)
  expect(linksOf(html).filter((link) => link !== origin)).toEqual(expected.links)
})

it('no secret of a mail is stored or logged', async () => {
  const kept = JSON.stringify(await given.query('select * from deliveries'))
  for (const { secret } of given.auth.issued) expect(kept + JSON.stringify(given.settled)).not.toContain(secret)
  expect(kept).not.toContain('@example.test')
})
