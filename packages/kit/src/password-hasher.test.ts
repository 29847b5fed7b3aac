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
