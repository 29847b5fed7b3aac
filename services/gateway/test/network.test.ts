import { createLogger } from '@parley/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseTrustedProxies } from '../src/config.ts'
import { networkBucket } from '../src/network.ts'
import { type Given, type GivenOptions, givenGateway } from './given.ts'

describe('the network bucket', () => {
  it.each([
    ['192.0.2.7', '4:192.0.2.7'],
    ['2001:db8::1', '6:2001:db8:0:0'],
    ['2001:db8:0:0:ffff::9', '6:2001:db8:0:0'],
    ['2001:db8:0:1::1', '6:2001:db8:0:1'],
    ['::1', '6:0:0:0:0'],
    ['fe80::1%eth0', '6:fe80:0:0:0'],
  ])('of %s is %s', (address, bucket) => {
    expect(networkBucket(address)).toBe(bucket)
  })
  it.each(['10.0.0.0/33', 'proxy', '::/129', '10.0.0.0/8/8x'])('rejects %s as a trusted network', (text) => {
    expect(() => parseTrustedProxies(text)).toThrow(/TRUSTED_PROXIES/)
  })
})

it('a /48 gets no additional limit for each of its /64, and other networks are unaffected', async () => {
  const given = await givenGateway({ trustedProxies: '127.0.0.0/8' })
  given.auth.settings.rateLimits.web = { windowMinutes: 1, maxRequests: 2 }
  const { api } = given
  const from = async (address: string) => await api.post('/api/chat', {}, { headers: { 'x-forwarded-for': address } })
  const answers = []
  for (let nth = 0; nth < 20; nth += 1) answers.push(await from(`2001:db8:5:${nth.toString(16)}::1`))
  expect(answers.map(({ status }) => status)).toEqual([...Array(16).fill(200), ...Array(4).fill(429)])
  expect((await from('2001:db8:5:0::1')).status).toBe(429)
  // The headers describe the limit with less left.
  const said = answers.map(({ headers }) => `${headers['ratelimit-remaining']} of ${headers['ratelimit-limit']}`)
  expect([said[0], said[15], said[16]]).toEqual(['1 of 2', '0 of 16', '0 of 16'])
  for (const address of ['2001:db8:6::1', '192.0.2.1']) expect((await from(address)).status).toBe(200)
  // What a /64 is refused takes nothing from the others of its /48.
  for (let nth = 0; nth < 20; nth += 1) await from('2001:db8:7:1::1')
  expect((await from('2001:db8:7:2::1')).status).toBe(200)
  await given.close()
})

describe('the caller’s address', () => {
  const bucketOf = async (given: Given, headers: Record<string, string>): Promise<string | undefined> => {
    await given.api.get('/api/chat/guest-info', { headers })
    return given.principal(given.chat.received.at(-1))?.network
  }
  let plain: Given
  let proxied: Given
  beforeAll(async () => {
    plain = await givenGateway()
    proxied = await givenGateway({ trustedProxies: '127.0.0.0/8, 10.0.0.0/8' })
  })
  afterAll(() => Promise.all([plain.close(), proxied.close()]))

  it('is the connection’s when no proxy is trusted, whatever the headers say', async () => {
    const headers = {
      'x-forwarded-for': '192.0.2.9',
      'x-real-ip': '192.0.2.9',
      'cf-connecting-ip': '192.0.2.9',
      forwarded: 'for=192.0.2.9',
    }
    expect(await bucketOf(plain, headers)).toBe('4:127.0.0.1')
  })
  it('is the last untrusted hop behind a trusted proxy', async () => {
    expect(await bucketOf(proxied, { 'x-forwarded-for': '203.0.113.66, 192.0.2.9, 10.1.2.3' })).toBe('4:192.0.2.9')
  })
  it('distinguishes two callers behind one proxy', async () => {
    expect(await bucketOf(proxied, { 'x-forwarded-for': '192.0.2.1' })).toBe('4:192.0.2.1')
    expect(await bucketOf(proxied, { 'x-forwarded-for': '::ffff:192.0.2.2' })).toBe('4:192.0.2.2')
  })
  it('is the proxy’s when X-Forwarded-For is unreadable', async () => {
    expect(await bucketOf(proxied, { 'x-forwarded-for': 'unknown' })).toBe('4:127.0.0.1')
  })
})

describe('a gateway at a public address', () => {
  async function saidAfterCalls(options: GivenOptions, headers: Record<string, string> = {}): Promise<string[]> {
    const warnings: string[] = []
    const log = createLogger('test', 'warn', { write: (line: string) => warnings.push(JSON.parse(line).msg) })
    const given = await givenGateway({ ...options, log })
    const { api } = given
    for (const agent of ['Firefox', 'Chrome', 'Safari', 'curl']) {
      await api.get('/api/chat/guest-info', { headers: { 'user-agent': agent, ...headers } })
    }
    await given.close()
    return warnings
  }
  const publicUrl = 'https://chat.example.org'

  it('whose callers all have one private address logs that once, with a pointer to the manual', async () => {
    const said = await saidAfterCalls({ publicUrl })
    expect(said).toEqual([
      expect.stringMatching(/^All callers so far have the address 127\.0\.0\.1.*deploy\/README\.md/),
    ])
  })
  it('behind an untrusted proxy logs the variable to set', async () => {
    const said = await saidAfterCalls({ publicUrl }, { 'x-forwarded-for': '93.184.216.34' })
    expect(said).toEqual([expect.stringContaining('TRUSTED_PROXIES=127.0.0.1')])
  })
  it('behind a trusted proxy logs nothing', async () => {
    const headers = { 'x-forwarded-for': '93.184.216.34' }
    expect(await saidAfterCalls({ publicUrl, trustedProxies: '127.0.0.0/8' }, headers)).toEqual([])
  })
})
