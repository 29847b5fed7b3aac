import { publicRoutes, serviceNames } from '@parley/contracts'
import { createKeySecret, newId } from '@parley/kit'
import {
  type ApiCaller,
  type ApiClient,
  apiClient,
  collect,
  fixedClock,
  pathOf,
  readEvents,
  untilPasses,
} from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend } from './backend.ts'
import { plainRights, startFakeAuth } from './fake-auth.ts'
import { closed, type Given, givenGateway } from './given.ts'

const clock = fixedClock()
let given: Given
let api: ApiClient
let ann: ApiCaller
beforeAll(async () => {
  given = await givenGateway({ now: clock.now })
  given.auth.settings.rateLimits.web.maxRequests = 1_000
  api = given.api
  ann = api.with({ authorization: `Bearer ${await given.auth.token('ann')}` })
})
afterAll(() => given.close())
beforeEach(() => {
  // Expires what the previous test left in caches.
  clock.advance(30_001)
  given.auth.broken = false
  given.auth.users.set('ann', { active: true, rights: plainRights })
  given.chat.received.length = 0
  given.chat.answer = (_request, response) => response.end('{}')
})

const ban = async (): Promise<void> => {
  given.auth.users.set('ann', { active: true, rights: { ...plainRights, isBanned: true } })
  await given.hub.open('auth').signal.publish('principal-changed', { userId: 'ann' })
}

describe('the cached rights of a user', () => {
  it('are refreshed after 30 s when the signal of a change was lost', async () => {
    expect((await ann.get('/api/chat/history')).status).toBe(200)
    given.auth.users.set('ann', { active: true, rights: { ...plainRights, isBanned: true } })
    clock.advance(29_000)
    expect((await ann.get('/api/chat/history')).status).toBe(200)
    clock.advance(1_001)
    expect((await ann.get('/api/chat/history')).status).toBe(403)
  })
})

describe('an open stream', () => {
  /** Opens a stream that sends one event and stays open. */
  const openStream = async () => {
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: one\n\n')
    }
    const events = readEvents(await ann.open('POST', '/api/chat', { body: {} }))
    await events.next()
    return { events }
  }

  it('is cut when its reader is banned', async () => {
    const { events } = await openStream()
    await ban()
    await expect(collect(events)).rejects.toThrow()
  })

  it('is cut when its reader’s session ends', async () => {
    const { events } = await openStream()
    given.auth.users.set('ann', { active: false, rights: plainRights })
    await given.hub.open('auth').signal.publish('principal-changed', { userId: 'ann' })
    await expect(collect(events)).rejects.toThrow()
  })

  it('is cut when auth cannot say whether its reader may still read', async () => {
    const { events } = await openStream()
    given.auth.broken = true
    await ban()
    await expect(collect(events)).rejects.toThrow()
  })
})

describe('a request body', () => {
  it('of exactly the maximum length passes, and one byte more is refused', async () => {
    const longest = 64 * 1024
    const call = (length: number) => ann.send('PUT', '/api/chat/history/c1/rename', { raw: 'x'.repeat(length) })
    expect((await call(longest)).status).toBe(200)
    expect((await call(longest + 1)).status).toBe(413)
    expect(given.chat.received.map(({ body }) => body.length)).toEqual([longest])
  })
})

describe('the web limit', () => {
  it('starts a new window after the minutes in the settings', async () => {
    // The user's first request, which starts the window.
    const userId = newId()
    given.auth.users.set(userId, { active: true, rights: plainRights })
    const caller = api.with({ authorization: `Bearer ${await given.auth.token(userId)}` })
    const { headers } = await caller.post('/api/chat', {})
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(50)
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60)
  })

  it('remains the last known one while auth is unavailable', async () => {
    const limit = async () => (await ann.post('/api/chat', {})).headers['ratelimit-limit']
    given.auth.settings.rateLimits.web.maxRequests = 1_000
    await given.hub.open('auth').signal.publish('settings-changed', { version: 1 })
    await untilPasses(async () => expect(await limit()).toBe('1000'))
    given.auth.settings.rateLimits.web.maxRequests = 900
    given.auth.broken = true
    await given.hub.open('auth').signal.publish('settings-changed', { version: 2 })
    expect(await limit()).toBe('1000')
    given.auth.broken = false
    await untilPasses(async () => expect(await limit()).toBe('900'))
  })
})

it.each(['a%5cb', 'a;b', 'a%3bb', 'a%2f%2e%2e', '%2e%2e', '..%2fadmin'])(
  'a parameter %s reaches no service',
  async (parameter) => {
    expect((await ann.get(`/api/chat/history/${parameter}`)).status).toBe(404)
    expect(given.chat.received).toEqual([])
  },
)

it.each([
  ['es', 'ltr', 'Chat compartido'],
  ['fr', 'ltr', 'Conversation partagée'],
  ['de', 'ltr', 'Geteilter Chat'],
  ['zh', 'ltr', '分享的聊天'],
  ['ja', 'ltr', '共有されたチャット'],
  ['ar', 'rtl', 'محادثة مشتركة'],
  ['en', 'ltr', 'Shared chat'],
])('the page of a shared link is in %s for its readers', async (locale, dir, title) => {
  const { headers, text } = await ann.get('/s/no.link', { headers: { 'accept-language': `tlh, ${locale}-x;q=0.9` } })
  expect(text).toContain(`<html lang="${locale}" dir="${dir}"`)
  for (const said of [`<title>${title} · Parley</title>`, `<meta property="og:title" content="${title}" />`]) {
    expect(text).toContain(said)
  }
  expect(text.includes('A chat shared with Parley.')).toBe(locale === 'en')
  expect(String(headers.vary).toLowerCase()).toContain('accept-language')
})

it('the page of a shared link lists everything it loads first', async () => {
  const { text } = await ann.get('/s/no.link')
  for (const file of ['/share.css', '/share-runtime.js', '/share-base.js', '/share.js', '/config.json'])
    expect(text).toContain(`"${file}"`)
})

it('the page of a shared link shows the first screen that share wrote, and none where there is none', async () => {
  const share = await startBackend()
  const gateway = await givenGateway({ urls: { share: () => share.url } })
  const client = apiClient(gateway.url)
  const read = async (card: object) => {
    share.answer = (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(card))
    }
    return client.get(`/s/${'a'.repeat(32)}`)
  }
  const texts = { title: '</title><script>', description: '"><script>' }
  const shown = await read({ ...texts, firstScreen: '<h1 dir="auto">A title</h1>' })
  expect(shown.text).not.toContain('/share-math.css')
  expect((await read({ ...texts, firstScreen: '<p>x</p>', hasFormulas: true })).text).toContain(
    '<link rel="stylesheet" href="/share-math.css" crossorigin />',
  )
  expect([shown.status, shown.headers['x-robots-tag'], shown.headers['cache-control']]).toEqual([
    200,
    'noindex',
    'no-cache',
  ])
  expect(shown.text).toMatch(
    /<div id="root"><div [^>]*><header .*<main [^>]*><h1 dir="auto">A title<\/h1><\/main><\/div><\/div>/,
  )
  expect(shown.text).not.toContain('<script>')
  // An older share writes none.
  for (const card of [texts, { title: null, description: null, firstScreen: null }])
    expect((await read(card)).text).toContain('<div id="root"></div>')
  await client.close()
  await gateway.close()
  await share.close()
})

it('while the services are unavailable, each of their routes and the page of a shared link is refused with a Retry-After (503)', async () => {
  const auth = await startFakeAuth()
  let authUrl = auth.url
  const away = Object.fromEntries(serviceNames.map((name) => [name, () => closed]))
  const cutOff = await givenGateway({ auth, urls: { ...away, auth: () => authUrl } })
  const client = apiClient(cutOff.url)
  auth.settings.rateLimits.web.maxRequests = 1_000
  auth.users.set('root', { active: true, rights: { ...plainRights, isAdmin: true, isSuperAdmin: true } })
  const signedIn = { authorization: `Bearer ${await auth.token('root')}` }
  // The gateway has cached keys, rights and the limit by now, so only the services can fail.
  expect((await client.post('/api/auth/login', {}, { headers: signedIn })).status).toBe(200)
  authUrl = closed
  const calls = publicRoutes
    .filter(({ service }) => service !== 'gateway')
    .map((route) => {
      const params = Object.fromEntries(Array.from(route.path.matchAll(/:(\w+)/g), ([, name = '']) => [name, 'x']))
      const headers = route.access === 'key' ? { authorization: `Bearer ${createKeySecret()}` } : signedIn
      return { method: route.method as string, path: pathOf(route, { params }), headers }
    })
  calls.push({ method: 'GET', path: `/s/${'a'.repeat(32)}`, headers: signedIn })
  const answers = await Promise.all(
    calls.map(async ({ method, path, headers: sent }) => {
      const { status, headers } = await client.send(method, path, { headers: sent })
      return [`${method} ${path}`, status, headers['retry-after']]
    }),
  )
  expect(answers).toEqual(calls.map(({ method, path }) => [`${method} ${path}`, 503, '2']))
  await client.close()
  await cutOff.close()
  await auth.close()
})
