import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createPasswordPolicy } from './password-policy.ts'

const policy = createPasswordPolicy()
const owner = { username: 'Jane-Miller', email: 'jane.m@corp-mail.example' }
const refusal = (password: string, of = owner): string | undefined => {
  try {
    policy.accept(password, of, 'newPassword')
    return undefined
  } catch (error) {
    const [detail] = (error as { details: { path: string; message: string }[] }).details
    return `${detail?.path}: ${detail?.message}`
  }
}

it('the 3,000 most common passwords of the allowed lengths are refused, in any case', () => {
  const list = readFileSync(new URL('../../data/common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  expect(list.length).toBeGreaterThanOrEqual(3_000)
  expect(list.filter((password) => password.length < 8)).toEqual([])
  const variants = [...list, ...list.map((password) => password.toUpperCase())]
  expect(variants.filter((password) => refusal(password) === undefined)).toEqual([])
})

it.each(['Password', 'pAsSwOrD1', ' sunshine ', 'ｐａｓｓｗｏｒｄ'])(
  'the password %j is refused as a form of a common one',
  (password) => {
    expect(refusal(password)).toContain('newPassword: This password is too common')
  },
)

it.each([
  'jane-miller',
  'JANE-MILLER',
  'Jane-Miller2024',
  'jane-miller jane-miller',
  'jane.m@corp-mail.example',
  'jane.m-1234',
  'corp-mail.example1',
  'parley123',
  'Parley-Parley',
])('the password %j, which consists of names, is refused', (password) => {
  expect(refusal(password)).toContain('newPassword: Please choose a password that isn’t made of your name')
})

it.each([
  'correct horse battery staple',
  'jane-miller likes long walks',
  'my parley has a password',
  'pässwörter für alle',
  '🐘🦒🐘🦒🐘🦒🐘🦒',
])('the password %j is accepted', (password) => {
  expect(refusal(password)).toBeUndefined()
})

it('a name of one or two letters, which every password contains, refuses none', () => {
  expect(refusal('an ox ran on', { username: 'ox_', email: 'a@b.c' })).toBeUndefined()
})
