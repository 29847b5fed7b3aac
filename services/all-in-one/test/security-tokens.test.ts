import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cookieOf, openWorld, type Person, unlimited, userPassword, type World } from './given.ts'

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

describe('tokens', () => {
  let world: World
  let user: Person & { cookie: string }
  let admin: Person
  let jwk: JsonWebKey
  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    ;[user, admin] = [await world.register(), await world.admin()]
    const { body } = await world.at().get('/api/auth/.well-known/jwks.json')
    jwk = (body as { keys: JsonWebKey[] }).keys[0] as JsonWebKey
  })
  afterAll(() => world.close())

  const parts = () => {
    const [header, payload, signature] = user.token.split('.')
    return { header: decode(header), payload: decode(payload), signature }
  }
  const hmac = (key: string | Buffer, header = {}): string => {
    const signed = `${encode({ ...parts().header, alg: 'HS256', ...header })}.${encode(parts().payload)}`
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
  }
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ownSigned = (header: object): string => {
    const signed = `${encode({ ...parts().header, ...header })}.${encode(parts().payload)}`
    const signature = sign('sha256', Buffer.from(signed), { key: own.privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  it.each<[string, () => string]>([
    ['alg none', () => `${encode({ ...parts().header, alg: 'none' })}.${encode(parts().payload)}.`],
    ['alg NonE', () => `${encode({ ...parts().header, alg: 'NonE' })}.${encode(parts().payload)}.`],
    ['no signature', () => `${user.token.split('.').slice(0, 2).join('.')}.`],
    [
      'HS256 by the public key as PEM',
      () => hmac(createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string),
    ],
    ['HS256 by the public key as JWK', () => hmac(JSON.stringify(jwk))],
    ['HS256 by a coordinate', () => hmac(Buffer.from(jwk.x ?? '', 'base64url'))],
    ['HS256 by nothing', () => hmac('')],
    ['a key of its own', () => ownSigned({ jwk: own.publicKey.export({ format: 'jwk' }) })],
    ['a URL of keys', () => ownSigned({ jku: 'http://127.0.0.1:9/', x5u: 'http://127.0.0.1:9/' })],
    ['a path as key id', () => ownSigned({ kid: '../../../../dev/null' })],
    ['SQL as key id', () => ownSigned({ kid: "' or 1=1--" })],
    ['an unknown critical extension', () => ownSigned({ crit: ['b64'], b64: false })],
    [
      'another subject',
      () => `${encode(parts().header)}.${encode({ ...parts().payload, sub: admin.user._id })}.${parts().signature}`,
    ],
    ['a refresh token', () => /parley_refresh\w*=([^;]+)/.exec(user.cookie)?.[1] ?? 'none'],
    ['64 KB', () => 'a'.repeat(20_000)],
    ['the format of an API key', () => 'sk-abcdef'],
  ])('of the kind %s are refused', async (_name, token) => {
    const api = world.at().with({ authorization: `Bearer ${token()}` })
    for (const path of ['/api/user/profile', '/api/admin/stats']) {
      expect((await api.get(path)).status).toBe(401)
    }
  })

  it('are taken from the Authorization header only', async () => {
    expect((await world.at().get(`/api/user/profile?token=${user.token}&access_token=${user.token}`)).status).toBe(401)
    const elsewhere: Record<string, string>[] = [
      { cookie: `token=${user.token}` },
      { 'x-api-key': user.token },
      { authorization: user.token },
    ]
    for (const headers of elsewhere) {
      expect((await world.at().get('/api/user/profile', { headers })).status).toBe(401)
    }
  })

  it('have the same successor for 50 concurrent refreshes, and a reused old one ends the session', async () => {
    const person = await world.register()
    const refresh = (cookie: string) => world.at().post('/api/auth/refresh', undefined, { headers: { cookie } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(person.cookie)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(cookieOf)).size).toBe(1)
    const successor = cookieOf(answers[0] as (typeof answers)[0])
    await world.query(`update auth.refresh_tokens set rotated_at = rotated_at - interval '1 minute'`)
    const reused = await refresh(person.cookie)
    expect([reused.status, String(reused.headers['set-cookie'])]).toEqual([401, expect.stringContaining('Max-Age=0')])
    expect((await refresh(successor)).status).toBe(401)
    await expect.poll(async () => (await person.api.get('/api/user/profile')).status).toBe(401)
  })

  it("come with cookies that are HttpOnly, for auth's path and SameSite=Strict", async () => {
    const { headers } = await world
      .at()
      .post('/api/auth/login', { identifier: user.user.username, password: userPassword })
    const cookies = [headers['set-cookie'] ?? []].flat()
    expect(cookies.length).toBeGreaterThan(1)
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/api\/auth; HttpOnly; SameSite=Strict$/)
  })
})
