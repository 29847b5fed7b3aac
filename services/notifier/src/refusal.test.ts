import { describe, expect, it } from 'vitest'
import { permanentRefusal, withoutAddresses } from './refusal.ts'

const failure = (parts: object) => Object.assign(new Error('no'), parts)

const recipient = (response: string) => ({
  ...{ code: 'EENVELOPE', command: 'RCPT TO' },
  ...{ responseCode: Number(response.slice(0, 3)), response },
})
const message = (response: string) => ({ ...recipient(response), code: 'EMESSAGE', command: 'DATA' })
const envelope = (text: string) => ({ code: 'EENVELOPE', command: 'API', message: text })

describe('a refusal', () => {
  it.each([
    ['of the recipient', recipient('550 no such user')],
    ['of an unknown mailbox', recipient('550 5.1.1 no such user')],
    ['of a former mailbox', recipient('551 5.1.6 it has moved')],
    ['of a mailbox that is full', recipient('552 5.2.2 over quota')],
    ['of a recipient in several lines', recipient('550-5.1.1 no such user\n550 5.1.1 see 5.7.1 of the manual')],
    ['of the message', message('554 spam')],
    ['of the message for its content', message('554 Message rejected: it was taken for spam')],
    [
      'of the message that quotes one of the sender',
      message('554 spam: Message rejected: Email address is not verified'),
    ],
    ['of the form of the message', message('554 5.6.0 malformed')],
    ['with an invalid status', recipient('550 5.7 no such user')],
    ['without a text', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }],
    ['of an invalid address', envelope('Invalid recipient "<a@b>"')],
    ['of an empty address', envelope('No recipients defined')],
  ])('%s is permanent', (_what, parts) => {
    expect(permanentRefusal(failure(parts))).toEqual(expect.any(String))
  })

  it.each([
    ['for now', recipient('450 later')],
    ['of the sender', { ...recipient('530 sign in first'), command: 'MAIL FROM' }],
    ['of the sender, after the recipient', recipient('553 5.7.1 <parley@example.test>: Sender address rejected')],
    ['of the sender’s mailbox', recipient('550 5.1.7 invalid sender')],
    ['of the sender’s domain', recipient('554 5.1.8 Sender address rejected: Domain not found')],
    ['to relay', recipient('554 5.7.1 <ann@example.test>: Relay access denied')],
    ['to relay, in several lines', recipient('554-5.7.1 Relay access denied\n554 5.7.1 see the manual')],
    ['of the sender, after the message', message('554 5.7.60 Client does not have permissions to send as this sender')],
    ['of the sender’s authentication', message('550 5.7.26 unauthenticated mail')],
    [
      'by Amazon SES of an address that its account may not use',
      message(
        '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: ann@example.test',
      ),
    ],
    [
      'by Amazon SES of a paused account',
      message('554 Message rejected: Sending paused for this account. See the inbox'),
    ],
    ['by Amazon SES of a suspended account', message('554 Message rejected: Sending suspended for this account.')],
    [
      'by Amazon SES of an account without the right to send',
      message('554 Access denied: User `arn:aws:iam::1:user/a` is not authorized to perform `ses:SendRawEmail`'),
    ],
    ['of a recipient without a sign-in', recipient('530 sign in first')],
    ['of a message without a sign-in', message('535 not signed in')],
    ['of the sign-in', { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: '535 wrong' }],
    ['of an invalid sender', envelope('Invalid sender "<parley>"')],
    ['by silence', { code: 'ETIMEDOUT' }],
    ['by nobody', { code: 'ECONNECTION' }],
  ])('%s is not permanent', (_what, parts) => {
    expect(permanentRefusal(failure(parts))).toBeUndefined()
  })
})

it.each([
  ['550 5.1.1 <ann@example.test>: Recipient rejected', '550 5.1.1 <address>: Recipient rejected'],
  ['550 ann@example.test, unknown', '550 <address>, unknown'],
  ['550 "ann x"@example.test unknown', '550 <address> unknown'],
  ['550-first\r\n550 second', '550-first 550 second'],
])('the response %j is stored as %j', (said, kept) => {
  expect(withoutAddresses(said)).toBe(kept)
})

it('of a response of any length the beginning is searched for addresses', () => {
  expect(withoutAddresses('x'.repeat(50_000))).toHaveLength(4_000)
})
