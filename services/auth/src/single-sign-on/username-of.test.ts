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
])('%j becomes %s', (claims, name) => {
  expect(usernameOf({ ...claims, email })).toBe(name)
})

test('nothing to go by becomes a name all the same', () => {
  expect(usernameOf({ email: 'é@example.test' })).toBe('user')
})

test.each(['jane', 'x'.repeat(40)])('a suffix keeps %s valid', (preferred_username) => {
  const name = usernameOf({ preferred_username, email }, '7a3f')
  expect(usernameSchema.parse(name)).toMatch(/-7a3f$/)
})
