import { describe, expect, it } from 'vitest'
import { findPrivate } from './find-private.ts'
import { createRedaction, redacted } from './redact.ts'

const found = (text: string) => findPrivate(text).map(({ kind, text: part }) => `${kind}: ${part}`)

describe('the search for private data', () => {
  it.each([
    ['Write to ana.lópez+x@mail.example.org, please.', 'email: ana.lópez+x@mail.example.org'],
    ['Call +49 30 901820-12 today', 'phone: +49 30 901820-12'],
    ['Call (555) 010-4477 or nobody', 'phone: (555) 010-4477'],
    ['Tel. 030 / 901 820 12', 'phone: 030 / 901 820 12'],
    ['OPENAI_API_KEY=sk-proj-abcdefghij0123456789', 'secret: sk-proj-abcdefghij0123456789'],
    ['the password is hunter2-again.', 'secret: hunter2-again.'],
    ['postgres://app:s3cr3t-pw@db/app', 'secret: s3cr3t-pw'],
    ['card 4111 1111 1111 1111, soon', 'secret: 4111 1111 1111 1111'],
    ['Zx81kQ0vT5mW2nB7rY4cL9sD', 'secret: Zx81kQ0vT5mW2nB7rY4cL9sD'],
    [
      '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
      'secret: -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
    ],
  ])('in %j finds %s', (text, expected) => {
    expect(found(text)).toEqual([expected])
  })

  // Cut in two, so that no scanner of this repository takes them for real ones.
  it.each([
    ['eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl'],
    ['gh', 'p_aaaabbbbccccddddeeee'],
    ['gh', 's_aaaabbbbccccddddeeee'],
    ['github', '_pat_aaaabbbbccccddddeeee'],
    ['gl', 'pat-aaaabbbbccccdddd'],
    ['xo', 'xb-aaaabbbbcc'],
    ['AK', 'IAAAAABBBBCCCCDDDD'],
    ['AI', 'zaaaaabbbbccccddddeeeeffffgggghhhhiii'],
    ['h', 'f_aaaabbbbccccddddeeee'],
    ['np', 'm_aaaabbbbccccddddeeeeffffgggghh'],
    ['rk', '_live_aaaabbbbccccdd'],
  ])('knows a key by how it begins: %s%s', (...parts) => {
    const key = parts.join('')
    expect(found(`it is ${key}, they said`)).toEqual([`secret: ${key}`])
  })

  it.each([
    'passwd=hunter2-again',
    'Passphrase: hunter2-again',
    'the API key is hunter2-again',
    'access_key: hunter2-again',
    '"token": "hunter2-again"',
    'Das Passwort ist hunter2-again',
    'Kennwort: hunter2-again',
    'la contraseña es hunter2-again',
    'le mot de passe est hunter2-again',
  ])('knows a password by the word before it: %s', (text) => {
    expect(found(text)).toEqual(['secret: hunter2-again'])
  })

  it.each([
    'On 2026-11-22 at 10:30:00 there were 12345678 people.',
    'See 22.11.2026, 192.168.100.200, 1.2.3-beta.4 and ISBN.',
    'The sum of 1 234 567 890 is large.',
    'internationalisation@ and @mentions are none',
    'createPasswordHasherWithDefaults(parallelism)',
    'a password is needed',
    '4111 1111 1111 1112',
    'sha 5532b0c0448325a1f77371266336a9db5200a1b2',
  ])('in %j finds nothing', (text) => {
    expect(found(text)).toEqual([])
  })

  it('is linear in the length of the text', () => {
    for (const part of ['a', '1', '+1 ', 'a.', 'a@', 'eyJa', 'password ', '://:'])
      expect(Array.isArray(findPrivate(part.repeat(100_000 / part.length)))).toBe(true)
  })

  it('finds a key after beginnings of others that have no end', () => {
    const pem = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----'
    expect(found(`-----BEGIN PRIVATE KEY-----\n${pem}`)).toEqual([`secret: ${pem}`])
    const token = ['eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl'].join('')
    expect(found(`eyJ-eyJ ${token}`)).toEqual([`secret: ${token}`])
  })
})

describe('redaction', () => {
  it('replaces every occurrence of literal texts, the longest first', () => {
    const clean = createRedaction(['a.b', 'a.b@c', '$&', '(x'])
    expect(clean('a.b@c axb a.b $& (x')).toBe(`${redacted} axb ${redacted} ${redacted} ${redacted}`)
    expect(createRedaction([])('as it was')).toBe('as it was')
  })

  it('leaves nothing of texts that overlap, and joins no others', () => {
    const clean = createRedaction(['abcd', 'cdef', 'c', 'xx', '😀😁'])
    expect(clean('abcdef')).toBe(redacted)
    expect(clean('abcc')).toBe(`ab${redacted}${redacted}`)
    expect(clean('-xxx- cdefabcd')).toBe(`-${redacted}- ${redacted}${redacted}`)
    expect(clean('😀😀😁😁')).toBe(`😀${redacted}😁`)
  })

  it('replaces what a search for each text finds, whatever the texts have in common', () => {
    const letters = (length: number, seed: number) =>
      Array.from({ length }, (_none, nth) => 'abc'[(seed * (nth + 7) + ((seed * nth) >> 2)) % 3]).join('')
    for (let seed = 1; seed < 200; seed += 1) {
      const text = letters(40, seed)
      const texts = [1, 2, 3, 5].map((length) => letters(length, seed + length))
      const covered = new Set<number>()
      for (const each of texts) {
        for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1))
          for (let unit = at; unit < at + each.length; unit += 1) covered.add(unit)
      }
      const left = [...text].filter((_unit, at) => !covered.has(at)).join('')
      expect(createRedaction(texts)(text).replaceAll(redacted, ''), `${texts} in ${text}`).toBe(left)
    }
  })

  it('takes a time that depends on the lengths alone', () => {
    const texts = Array.from({ length: 250 }, (_none, nth) => `${'a'.repeat(3_700 + nth)}b`)
    const clean = createRedaction(texts)
    for (let nth = 0; nth < 10; nth += 1) expect(clean('a'.repeat(1_000_000))).toHaveLength(1_000_000)
  })
})
