import type { Principal } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { authorise, createLogger } from '../src/index.ts'

const origin = { network: '4:127.0.0.1' }
const user = (isBanned: boolean): Principal => ({
  kind: 'user',
  userId: 'u1',
  sessionId: 's1',
  rights: { isAdmin: false, isSuperAdmin: false, isBanned, emailVerified: true },
  ...origin,
})

describe('a refusal', () => {
  it.each([
    ['a guest at the admin panel', { kind: 'guest', ...origin }, 'You must be logged in to access the admin panel'],
    ['a user at the admin panel', user(false), 'You do not have permission to access the admin panel'],
    ['a banned user', user(true), 'Your account has been banned. Please contact support for assistance.'],
  ] as const)('of %s has the product’s own text', (_who, principal, words) => {
    expect(() => authorise({ access: 'admin' }, principal)).toThrow(words)
  })
})

it('a log contains no secrets, wherever in an entry they are', () => {
  const written: string[] = []
  const log = createLogger('test', 'info', { write: (line: string) => void written.push(line) })
  const secrets = [
    'password',
    'newPassword',
    'currentPassword',
    'token',
    'secret',
    'code',
    'apiKey',
    'authorization',
    'cookie',
  ]
  for (const name of secrets) log.info({ [name]: 'hush', body: { [name]: 'hush' } }, 'an entry')
  expect(written).toHaveLength(secrets.length)
  expect(written.join('')).not.toContain('hush')
})
