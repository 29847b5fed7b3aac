import { expect, it } from 'vitest'
import { createKeySecret, hashKeySecret, isKeySecret } from './key-secret.ts'

const secret = createKeySecret()

it('a new secret of an API key begins with sk-, is well-formed and unique', () => {
  expect(secret).toMatch(/^sk-[A-Za-z0-9_-]{48}$/)
  expect(isKeySecret(secret)).toBe(true)
  expect(new Set(Array.from({ length: 100 }, createKeySecret)).size).toBe(100)
})

it('a secret with a mistyped character, or two swapped neighbours, is malformed', () => {
  const characters = [...secret]
  for (let at = 3; at < characters.length; at += 1) {
    const mistyped = characters.with(at, characters[at] === 'x' ? 'y' : 'x').join('')
    expect(isKeySecret(mistyped), mistyped).toBe(false)
    const [one = '', next = ''] = characters.slice(at)
    if (next === '' || one === next) continue
    expect(
      isKeySecret(
        characters
          .with(at, next)
          .with(at + 1, one)
          .join(''),
      ),
      `exchanged at ${at}`,
    ).toBe(false)
  }
})

it.each([
  '',
  'sk-',
  secret.slice(0, -1),
  `${secret}A`,
  `${secret}\n`,
  secret.slice(3),
  `pk-${secret.slice(3)}`,
  "sk-' OR 1=1--",
])('the text %j is not a secret of an API key', (text) => {
  expect(isKeySecret(text)).toBe(false)
})

it('a secret is identified by the SHA-256 of its text', () => {
  expect(hashKeySecret('sk-known')).toBe('2771b99088d32abeaa69d9b10c0d0009a278134b2126e8a334d2416aee674e07')
})
