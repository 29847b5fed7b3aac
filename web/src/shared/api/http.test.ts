import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { user } from '../../testing/given-user.ts'
import { getSession, signIn, startViewing } from '../session/index.ts'
import { readSession, useSession } from '../session/session.ts'
import type { ApiError } from './error.ts'
import { apiFetch, callJson, pathOf } from './http.ts'

interface Call {
  readonly path: string
  readonly token: string | null
  readonly guest: string | null
}
type Server = (call: Call) => Response | Promise<Response>

const refused = (status: number, code: string) =>
  Response.json({ error: `is ${code}`, code, requestId: 'r1' }, { status })

/** Replaces the server by `server` and records the calls. */
function serve(server: Server): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    const call = { path, token: headers.get('authorization'), guest: headers.get('x-guest-session-id') }
    calls.push(call)
    return server(call)
  })
  return calls
}

/** The id that identifies a failed call. */
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (error as ApiError).requestId,
  )

const only = (calls: Call[], path: string) => calls.filter((call) => call.path === path)

beforeEach(() => {
  for (const name of ['localStorage', 'sessionStorage']) {
    const stored = new Map<string, string>()
    vi.stubGlobal(name, {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    })
  }
  useSession.setState({ token: null, user: null, guestSessionId: null, banned: false, viewing: null })
})
afterEach(() => vi.unstubAllGlobals())

describe('a call', () => {
  it('of a guest sends the guest id and stores the returned one', async () => {
    const calls = serve(() => Response.json({}, { headers: { 'x-guest-session-id': 'g2' } }))
    useSession.setState({ guestSessionId: 'g1' })
    await apiFetch('/chat/guest-info')
    expect(calls).toEqual([{ path: '/api/chat/guest-info', token: null, guest: 'g1' }])
    expect(getSession().guestSessionId).toBe('g2')
    expect(localStorage.getItem('guestSessionId')).toBe('g2')
  })

  it('with an expired token is repeated once with a new one, and concurrent calls share one refresh', async () => {
    signIn('a.b.old', user)
    const calls = serve(({ path, token }) => {
      if (path === '/api/auth/refresh') return Response.json({ token: 'a.b.new', user })
      return token === 'Bearer a.b.new' ? Response.json({ ok: true }) : refused(401, 'token_expired')
    })
    const answers = await Promise.all([1, 2, 3].map((n) => callJson({ method: 'GET', path: `/x${n}` })))
    expect(answers).toEqual([{ ok: true }, { ok: true }, { ok: true }])
    expect(only(calls, '/api/auth/refresh')).toHaveLength(1)
    expect(calls).toHaveLength(7)
    expect(getSession().token).toBe('a.b.new')
  })

  it('uses the token that another tab has refreshed meanwhile, without a refresh of its own', async () => {
    signIn('a.b.old', user)
    const calls = serve(({ token }) => {
      if (token === 'Bearer a.b.other') return Response.json({})
      localStorage.setItem('token', 'a.b.other')
      return refused(401, 'token_expired')
    })
    await apiFetch('/x')
    expect(only(calls, '/api/auth/refresh')).toHaveLength(0)
    expect(calls.map((call) => call.token)).toEqual(['Bearer a.b.old', 'Bearer a.b.other'])
  })

  it('is not repeated as another user who signed in meanwhile', async () => {
    signIn('a.b.old', user)
    const calls = serve(() => {
      localStorage.setItem('token', 'a.b.other')
      localStorage.setItem('user', JSON.stringify({ ...user, _id: 'u2' }))
      return refused(401, 'token_expired')
    })
    await expect(apiFetch('/x')).rejects.toMatchObject({ code: 'token_expired' })
    expect(calls).toHaveLength(1)
    expect(getSession().user?._id).toBe('u2')
  })

  it('signs out if the refresh is refused, keeping only what is not private', async () => {
    signIn('a.b.old', user)
    serve(({ path }) => refused(401, path === '/api/auth/refresh' ? 'unauthenticated' : 'token_expired'))
    await expect(apiFetch('/x')).rejects.toMatchObject({ code: 'token_expired', status: 401 })
    expect(getSession()).toMatchObject({ token: null, user: null })
    expect(localStorage.getItem('token')).toBeNull()
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new TypeError('failed to fetch')), 'network'],
    ['fails', () => Promise.resolve(refused(503, 'unavailable')), 'token_expired'],
  ])('stays signed in when the server %s during the refresh', async (_, refresh, code) => {
    signIn('a.b.old', user)
    serve(({ path }) => (path === '/api/auth/refresh' ? refresh() : refused(401, 'token_expired')))
    await expect(apiFetch('/x')).rejects.toMatchObject({ code })
    expect(getSession().token).toBe('a.b.old')
  })

  it.each(['token_expired', 'unauthenticated'])(
    'while viewing as a user that fails with %s ends the view and does not use the admin’s cookie',
    async (code) => {
      const visited: string[] = []
      vi.stubGlobal('location', { assign: (path: string) => void visited.push(path) })
      signIn('a.b.admin', { ...user, _id: 'a1', isAdmin: true })
      startViewing({ token: 'a.b.view', user, expiresAt: new Date(Date.now() + 60_000).toISOString() })
      useSession.setState(readSession())
      const calls = serve(() => refused(401, code))
      await expect(apiFetch('/user/credits')).rejects.toMatchObject({ code })
      expect(calls).toEqual([{ path: '/api/user/credits', token: 'Bearer a.b.view', guest: null }])
      expect(visited).toEqual(['/profile', '/admin/users/u1'])
      expect(readSession()).toMatchObject({ token: 'a.b.admin', viewing: null })
    },
  )

  it('is not repeated endlessly', async () => {
    signIn('a.b.old', user)
    const calls = serve(({ path }) =>
      path === '/api/auth/refresh' ? Response.json({ token: 'a.b.new', user }) : refused(401, 'token_expired'),
    )
    await expect(apiFetch('/x')).rejects.toMatchObject({ code: 'token_expired' })
    expect(only(calls, '/api/x')).toHaveLength(2)
  })

  it('records a ban, also when the refresh reports it, without signing out', async () => {
    signIn('a.b.c', user)
    serve(() => refused(403, 'account_banned'))
    await expect(apiFetch('/x')).rejects.toMatchObject({ code: 'account_banned', message: 'is account_banned' })
    expect(getSession()).toMatchObject({ banned: true, token: 'a.b.c' })
    signIn('a.b.c', user)
    serve(({ path }) => (path === '/api/x' ? refused(401, 'token_expired') : refused(403, 'account_banned')))
    await expect(apiFetch('/x')).rejects.toMatchObject({ code: 'token_expired' })
    expect(getSession()).toMatchObject({ banned: true, token: 'a.b.c' })
  })

  it('distinguishes a refusal, an invalid response, a lost connection and an abort', async () => {
    const limited = { error: 'Slow down', code: 'rate_limited', requestId: 'r9' }
    serve(() => Response.json(limited, { status: 429, headers: { 'retry-after': '7' } }))
    const refusal = { status: 429, code: 'rate_limited', message: 'Slow down', requestId: 'r9', retryAfter: 7 }
    await expect(apiFetch('/x')).rejects.toMatchObject(refusal)
    serve(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(apiFetch('/x')).rejects.toMatchObject({ status: 502, code: 'unexpected', message: '' })
    serve(() => new Response('{"half'))
    await expect(callJson({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'unexpected' })
    serve(() => Promise.reject(new TypeError('failed to fetch')))
    await expect(apiFetch('/x')).rejects.toMatchObject({ status: 0, code: 'network' })
    serve(() => Promise.reject(new DOMException('', 'TimeoutError')))
    await expect(apiFetch('/x')).rejects.toMatchObject({ status: 0, code: 'timeout' })
    serve(() => Promise.reject(new DOMException('', 'AbortError')))
    await expect(apiFetch('/x')).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('starts a trace of its own without sampling, which identifies it if there is no response', async () => {
    const named: (string | null)[] = []
    vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
      named.push(new Headers(init.headers).get('traceparent'))
      throw new TypeError('failed to fetch')
    })
    const failures = [await failureOf(apiFetch('/x')), await failureOf(apiFetch('/x'))]
    expect(named.map((said) => /^00-([0-9a-f]{32})-[0-9a-f]{16}-00$/.exec(said ?? '')?.[1])).toEqual(failures)
    expect(new Set(failures).size).toBe(2)
  })

  it('with a request id of its own is identified by that id', async () => {
    serve(() => Promise.reject(new TypeError('failed to fetch')))
    const failure = callJson({ method: 'POST', path: '/x' }, { requestId: 'act-of-an-admin' })
    expect(await failureOf(failure)).toBe('act-of-an-admin')
  })

  it('fills in parameters and query, which cannot change the path', () => {
    const target = { method: 'GET', path: '/chat/history/:id' } as const
    const path = pathOf(target, { params: { id: '../a?b' }, query: { before: 'x y', limit: 5, none: undefined } })
    expect(path).toBe('/chat/history/..%2Fa%3Fb?before=x+y&limit=5')
  })
})
