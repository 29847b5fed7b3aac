import { expect, it } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

it('a password is hashed by argon2id at least at the cost that OWASP recommends', async () => {
  expect(await createPasswordHasher().hash('a password')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('a password hashed at another cost is still recognised', async () => {
  const cheap = await createPasswordHasher({ memory: 8, passes: 1, parallelism: 1 }).hash('a password')
  const hasher = createPasswordHasher()
  expect([await hasher.check(cheap, 'a password'), await hasher.check(cheap, 'another')]).toEqual([true, false])
})

it('a password is recognised up to 1024 bytes', async () => {
  const hasher = createPasswordHasher({ memory: 8, passes: 1, parallelism: 1 })
  const recognised = async (password: string) => await hasher.check(await hasher.hash(password), password)
  expect([await recognised('é'.repeat(512)), await recognised('é'.repeat(513))]).toEqual([true, false])
})

it('a password is checked as long for an account that has none', async () => {
  const hasher = createPasswordHasher({ memory: 64 * 1024, passes: 2, parallelism: 1 })
  const began = performance.now()
  expect(await hasher.check(undefined, 'a password')).toBe(false)
  // Without the work it would be some microseconds.
  expect(performance.now() - began).toBeGreaterThan(10)
})
