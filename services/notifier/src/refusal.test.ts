import { describe, expect, it } from 'vitest'
import { permanentRefusal, withoutAddresses } from './refusal.ts'

const failure = (parts: object) => Object.assign(new Error('no'), parts)

describe('a refusal', () => {
  it.each([
    ['of the recipient', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 no such user' }],
    ['of the message', { code: 'EMESSAGE', command: 'DATA', responseCode: 554, response: '554 spam' }],
    ['without a text', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }],
    ['of an invalid address', { code: 'EENVELOPE', command: 'API' }],
  ])('%s is permanent', (_what, parts) => {
    expect(permanentRefusal(failure(parts))).toEqual(expect.any(String))
  })

  it.each([
    ['for now', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450, response: '450 later' }],
    ['of the sender', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 530, response: '530 sign in first' }],
    ['of the sign-in', { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: '535 wrong' }],
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
