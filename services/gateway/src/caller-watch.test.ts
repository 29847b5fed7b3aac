import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createCallerWatch } from './caller-watch.ts'

const publicUrl = 'https://chat.example.org'
const bridge = '172.17.0.1'

/** The warnings about calls from these addresses, each by a different program. */
function said(url: string, addresses: readonly string[], isForwarded = false): string[] {
  const watch = createCallerWatch(url)
  return addresses.flatMap((address, nth) => watch.note({ address, agent: `agent ${nth}`, isForwarded }) ?? [])
}

describe('callers of a public address', () => {
  it.each([bridge, '10.0.2.100', '127.0.0.1', 'fd00::1'])(
    'that all have the private address %s are reported at the third program, once',
    (address) => {
      expect(said(publicUrl, [address, address])).toEqual([])
      const found = said(publicUrl, Array(10).fill(address))
      expect(found).toEqual([expect.stringContaining(`All callers so far have the address ${address}`)])
      expect(found[0]).toMatch(/userland proxy.*deploy\/README\.md/)
    },
  )

  it('are covered by the chapter that the warning names', () => {
    const readme = readFileSync(new URL('../../../deploy/README.md', import.meta.url), 'utf8')
    const chapter = readme.split(/^## /m).find((each) => each.startsWith('Callers that look alike\n'))
    expect(chapter).toMatch(/userland proxy.*"userland-proxy": false/s)
    expect(chapter).toContain('TRUSTED_PROXIES')
  })

  it('are reported behind an untrusted proxy, with the variable to set', () => {
    expect(said(publicUrl, Array(3).fill('10.1.2.3'), true)).toEqual([
      expect.stringContaining('TRUSTED_PROXIES=10.1.2.3'),
    ])
  })

  it('are no longer watched once one comes from the public internet or from a second address', () => {
    expect(said(publicUrl, ['93.184.216.34', ...Array(9).fill(bridge)])).toEqual([])
    expect(said(publicUrl, [bridge, '172.17.0.9', ...Array(9).fill(bridge)])).toEqual([])
  })

  it('are not reported while only one program calls, however often', () => {
    const watch = createCallerWatch(publicUrl)
    const calls = Array.from({ length: 50 }, () => watch.note({ address: bridge, agent: 'one', isForwarded: false }))
    expect(calls.filter((found) => found !== undefined)).toEqual([])
  })
})

it.each([
  'http://localhost:8080',
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
  'http://192.168.1.20',
  'http://nas:8080',
  'http://nas.local',
])('callers of %s may share one address', (url) => {
  expect(said(url, Array(10).fill(bridge))).toEqual([])
})
