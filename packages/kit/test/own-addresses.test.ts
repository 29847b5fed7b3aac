import { describe, expect, it } from 'vitest'
import { areOrigins, createOwnAddresses, parseOrigins } from '../src/index.ts'

const codeOf = (act: () => void): string => {
  try {
    act()
    return 'own'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}

describe('Parley at a local address', () => {
  const own = createOwnAddresses('http://localhost:8080', ['https://chat.example.org'])

  it.each([
    ['localhost:8080', 'own'],
    ['LOCALHOST:8080', 'own'],
    ['localhost', 'own'],
    ['localhost:9000', 'own'],
    ['127.0.0.1:8080', 'own'],
    ['[::1]:8080', 'own'],
    ['chat.example.org', 'own'],
    ['chat.example.org:443', 'own'],
    ['evil.test:8080', 'misdirected_request'],
    ['localhost.evil.test:8080', 'misdirected_request'],
    ['localhost.:8080', 'misdirected_request'],
    ['evil.test@localhost:8080', 'misdirected_request'],
    ['localhost:8080/evil.test', 'misdirected_request'],
    ['localhost:8080:8080', 'misdirected_request'],
    ['127.0.0.1.nip.io', 'misdirected_request'],
    ['192.168.0.7:8080', 'misdirected_request'],
    ['', 'misdirected_request'],
    [undefined, 'misdirected_request'],
  ])('treats the host %s as %s', (host, judged) => {
    expect(codeOf(() => own.refuseForeignHost({ host }))).toBe(judged)
  })

  it.each([
    [undefined, 'localhost:8080', 'own'],
    ['http://localhost:8080', '127.0.0.1:8080', 'own'],
    ['http://127.0.0.1:8080', 'localhost:8080', 'own'],
    ['http://localhost:9000', 'localhost:9000', 'own'],
    ['https://chat.example.org', 'localhost:8080', 'own'],
    ['http://localhost:3000', 'localhost:8080', 'forbidden'],
    ['http://evil.test:8080', 'evil.test:8080', 'forbidden'],
    ['http://chat.example.org', 'chat.example.org', 'forbidden'],
    ['null', 'localhost:8080', 'forbidden'],
    ['', 'localhost:8080', 'forbidden'],
    ['https://localhost:8080.evil.test', 'localhost:8080', 'forbidden'],
  ])('treats a page of %s that calls %s as %s', (origin, host, judged) => {
    expect(codeOf(() => own.refuseForeignOrigin({ origin, host }))).toBe(judged)
  })
})

it('Parley with a public name refuses local host names, and an origin that merely equals the host', () => {
  const own = createOwnAddresses('https://chat.example.org')
  expect(codeOf(() => own.refuseForeignHost({ host: 'chat.example.org' }))).toBe('own')
  expect(codeOf(() => own.refuseForeignHost({ host: 'localhost:8080' }))).toBe('misdirected_request')
  const page = { origin: 'http://chat.example.org', host: 'chat.example.org' }
  expect(codeOf(() => own.refuseForeignOrigin(page))).toBe('forbidden')
})

it.each([
  ['', true],
  ['https://a.test, http://b.test:81', true],
  ['https://a.test/', true],
  ['a.test', false],
  ['https://a.test/path', false],
  ['ftp://a.test', false],
  ['https://a.test,nonsense', false],
])('%j is a list of origins: %s', (text, isOne) => {
  expect(areOrigins(text)).toBe(isOne)
})

it('origins are read as browsers write them', () => {
  expect(parseOrigins(' https://A.test:443 ,, http://b.test:81/')).toEqual(['https://a.test', 'http://b.test:81'])
})
