import { expect, it } from 'vitest'
import { bodyOf, expiresAt, faultOf, firstOptions, optionsFor } from './options.ts'

const chat = { ids: ['a', 'b', 'c'], found: ['x@y.example', '+49 30 1234567', 'x@y.example'] }

it('a link hides private-looking texts unless they are allowed, and names the messages of its preview that are not excluded', () => {
  expect(bodyOf('chat', firstOptions, chat)).toEqual({
    chatId: 'chat',
    includeImages: true,
    messageIds: ['a', 'b', 'c'],
    redact: ['x@y.example', '+49 30 1234567'],
  })
  const chosen = { ...firstOptions, excluded: new Set(['b']), allowed: new Set(chat.found), includeImages: false }
  expect(bodyOf('chat', chosen, chat)).toEqual({ chatId: 'chat', includeImages: false, messageIds: ['a', 'c'] })
})

it('a link expires after a number of days, or at the end of a chosen day', () => {
  const now = new Date(2026, 4, 30, 15)
  expect(expiresAt({ kind: 'never' }, now)).toBeUndefined()
  expect(expiresAt({ kind: 'days', days: 7 }, now)).toBe(new Date(now.getTime() + 7 * 86_400_000).toISOString())
  expect(expiresAt({ kind: 'date', day: '2026-05-31' }, now)).toBe(new Date(2026, 5, 1).toISOString())
})

it('a link that ends keeps its last day when it is updated, unless it has ended', () => {
  const now = new Date(2026, 4, 30, 15)
  const end = new Date(2026, 5, 1).toISOString()
  const { expiry } = optionsFor(end, now)
  expect(expiry).toEqual({ kind: 'date', day: '2026-05-31' })
  expect(expiresAt(expiry, now)).toBe(end)
  for (const none of [null, undefined, now.toISOString()]) expect(optionsFor(none, now)).toBe(firstOptions)
})

it.each([
  [firstOptions, null],
  [{ ...firstOptions, excluded: new Set(['a', 'b', 'c']) }, 'none'],
  [{ ...firstOptions, expiry: { kind: 'date', day: '' } as const }, 'day'],
  [{ ...firstOptions, hasPassword: true, password: ' ' }, 'password'],
  [{ ...firstOptions, hasPassword: true, password: 'x' }, null],
])('incomplete options of a link name what is missing (%#)', (options, fault) => {
  expect(faultOf(options, 3)).toBe(fault)
})
