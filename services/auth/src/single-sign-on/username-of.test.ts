import { usernameSchema } from '@parley/contracts'
import { expect, test } from 'vitest'
import { usernameOf } from './username-of.ts'

const email = 'jane.doe@example.test'

test.each([
  [{ preferred_username: 'Jane_Doe-7', name: 'Other' }, 'Jane_Doe-7'],
  [{ preferred_username: 'jane@corp.test' }, 'jane'],
  [{ preferred_username: 'ab', name: 'Zoë Müller' }, 'Zoe-Muller'],
  [{ preferred_username: '  --jane!!doe--  ' }, 'jane-doe'],
  [{ preferred_username: '山田', name: '山田太郎' }, 'jane-doe'],
  [{ preferred_username: { $ne: null }, name: 7 }, 'jane-doe'],
  [{ preferred_username: 'x'.repeat(40) }, 'x'.repeat(32)],
  [{ preferred_username: `${'x'.repeat(31)}-y` }, 'x'.repeat(31)],
])('the name %j becomes the username %s', (claims, name) => {
  expect(usernameOf({ ...claims, email })).toBe(name)
})

test('a username is generated even without any name', () => {
  expect(usernameOf({ email: 'é@example.test' })).toBe('user')
})

test.each(['jane', 'x'.repeat(40)])('a username with a suffix keeps %s valid', (preferred_username) => {
  const name = usernameOf({ preferred_username, email }, '7a3f')
  expect(usernameSchema.parse(name)).toMatch(/-7a3f$/)
})
