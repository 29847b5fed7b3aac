import { createLogger } from '@parley/kit'
import { waitUntil } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword, cookieOf, openWorld, providerKey, unlimited, userPassword, type World } from './given.ts'

describe('secrets', () => {
  let world: World
  const logged: string[] = []
  /** Secrets that must not leak. */
  const secrets: string[] = [adminPassword, userPassword, providerKey, 'a wrong password', 'canary-of-a-message']
  const codes: string[] = []

  beforeAll(async () => {
    world = await openWorld(1, createLogger('test', 'trace', { write: (line) => void logged.push(line) }))
    await world.settings(unlimited)
    const cookiesIn = (cookie: string) => [...cookie.matchAll(/=([^;]{20,})/g)].map(([, value]) => value ?? '')
    const ann = await world.register('secretive')
    const waiting = await world.awaitingCode('waiting')
    codes.push(waiting.code)
    secrets.push(ann.token, ...cookiesIn(ann.cookie), ...cookiesIn(waiting.cookie))
    const post = (path: string, body?: unknown, cookie = '') => world.at().post(path, body, { headers: { cookie } })
    await post('/api/auth/login', { identifier: 'secretive', password: 'a wrong password' })
    const login = await post('/api/auth/login', { identifier: 'secretive', password: userPassword })
    const refreshed = await post('/api/auth/refresh', undefined, cookieOf(login))
    for (const answer of [login, refreshed]) {
      secrets.push((answer.body as { token: string }).token, ...cookiesIn(cookieOf(answer)))
    }
    await ann.api.post('/api/chat', { message: 'canary-of-a-message', model: 'v3' })
    world.provider.reply({ status: 401, body: `{"error":"wrong key ${providerKey}"}` })
    await ann.api.post('/api/chat', { message: 'fails', model: 'v3' })
    await ann.api.send('POST', '/api/chat', {
      raw: '{"message":"canary-of-a-message"',
      headers: { 'content-type': 'application/json' },
    })
    await world.at().get('/api/user/profile', { headers: { authorization: `Bearer ${ann.token}x` } })
    await post('/api/auth/logout', undefined, cookieOf(refreshed))
    await post('/api/auth/password-reset-request', { email: ann.user.email })
    secrets.push((await mailed(ann.user.email, /password-reset\?token=([\w-]+)/))[1] ?? '')
    await ann.api.post('/api/user/data-export')
    const [, id = '', token = ''] = await mailed(ann.user.email, /\/data-export#id=([\w-]+)&token=([\w-]+)/)
    secrets.push(token)
    expect((await world.at().post(`/api/user/data-export/${id}`, { token })).status).toBe(200)
  })
  afterAll(() => world.close())

  /** Waits for a match in the newest mail to an address. */
  const mailed = (address: string, what: RegExp): Promise<RegExpExecArray> =>
    waitUntil(async () => what.exec(await world.mailTo(address)) ?? undefined, `a mail that says ${what}`)
  const found = (text: string, what: readonly string[]): string[] => what.filter((secret) => text.includes(secret))

  it('are in no line of the log', () => {
    const text = logged.join('')
    expect(text).toContain('"level"')
    expect(found(text, secrets)).toEqual([])
    expect(text).not.toMatch(/eyJ[\w-]{10,}\.|parley_(refresh|pending|browser)|\b(sk|Bearer) ?-?[\w-]{20,}/)
  })

  it('are in no event', async () => {
    const events = await world.query(`select event::text from bus.log union all select event::text from auth.outbox`)
    expect(events.length).toBeGreaterThan(3)
    expect(found(JSON.stringify(events), [...secrets, 'canary-of-a-message'])).toEqual([])
    for (const code of codes) expect(JSON.stringify(events)).not.toMatch(new RegExp(`\\b${code}\\b`))
  })

  it('are in no table as plain text', async () => {
    const tables = await world.query<{ name: string }>(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables where schemaname <> 'bus' order by 1`,
    )
    expect(tables.length).toBeGreaterThan(15)
    const own = secrets.filter((secret) => secret !== 'canary-of-a-message')
    for (const { name } of tables) {
      const rows = await world.query<{ row: string }>(`select t::text as row from ${name} t`)
      const text = rows.map(({ row }) => row).join('\n')
      expect(found(text, own), name).toEqual([])
      for (const code of codes) expect(text, name).not.toMatch(new RegExp(`[,("]${code}[,)"]`))
    }
  })

  it('are in no error response', async () => {
    const ann = await world.register()
    world.provider.reply({ status: 401, body: `{"error":{"message":"wrong key ${providerKey} at 10.0.0.1:5432"}}` })
    const { status, text } = await ann.api.post('/api/chat', { message: 'Hello', model: 'v3' })
    expect(status).toBe(502)
    expect(text).not.toMatch(/key-of|10\.0\.0\.1|stack|node_modules/)
    const broken = await ann.api.send('POST', '/api/chat', {
      raw: '{"message": canary-of-the-body',
      headers: { 'content-type': 'application/json' },
    })
    expect([broken.status, broken.text.includes('canary')]).toEqual([400, false])
  })
})
