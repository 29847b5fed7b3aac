import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { user } from '../../testing/given-user.ts'
import { clearSession, getSession, signIn } from '../session/index.ts'
import { useSession } from '../session/session.ts'
import { apiFetch } from './http.ts'

const refused = (status: number, code: string) => Response.json({ error: code, code, requestId: 'r1' }, { status })
const renewed = () => Response.json({ token: 'a.b.new', user })

/** Replaces the server. `meanwhile` runs before the response for this path arrives. */
function serve(answers: (path: string, token: string | null) => Response, meanwhile: Record<string, () => void> = {}) {
  const paths: string[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    paths.push(path)
    const answer = answers(path, new Headers(init.headers).get('authorization'))
    meanwhile[path]?.()
    return answer
  })
  return paths
}

beforeEach(() => {
  givenStorage()
  useSession.setState({ token: null, user: null, guestSessionId: null, banned: false })
})
afterEach(() => vi.unstubAllGlobals())

it('a response to a guest that arrives after signing in does not restore the guest session', async () => {
  serve(() => Response.json({}, { headers: { 'x-guest-session-id': 'g1' } }), {
    '/api/chat/guest-info': () => signIn('a.b.c', user),
  })
  await apiFetch('/chat/guest-info')
  expect(getSession()).toMatchObject({ token: 'a.b.c', guestSessionId: null })
  expect(localStorage.getItem('guestSessionId')).toBeNull()
})

it('a session that the server rejects is refreshed like an expired one', async () => {
  signIn('a.b.old', user)
  serve((path, token) => {
    if (path === '/api/auth/refresh') return renewed()
    return token === 'Bearer a.b.new' ? Response.json({}) : refused(401, 'unauthenticated')
  })
  expect((await apiFetch('/x')).status).toBe(200)
  expect(getSession().token).toBe('a.b.new')
})

it('a user who signs out during a refresh stays signed out', async () => {
  signIn('a.b.old', user)
  serve((path) => (path === '/api/auth/refresh' ? renewed() : refused(401, 'token_expired')), {
    '/api/auth/refresh': clearSession,
  })
  await expect(apiFetch('/x')).rejects.toMatchObject({ status: 401 })
  expect(getSession()).toMatchObject({ token: null, user: null })
  expect(localStorage.getItem('token')).toBeNull()
})

const other = { ...user, _id: 'u2', username: 'grace' }

it('a call whose user was followed by another one before its refusal is not repeated as that one', async () => {
  signIn('a.b.old', user)
  const paths = serve(
    (_path, token) => (token === 'Bearer a.b.other' ? Response.json({}) : refused(401, 'token_expired')),
    {
      '/api/x': () => {
        clearSession()
        signIn('a.b.other', other)
      },
    },
  )
  await expect(apiFetch('/x', { method: 'PATCH' })).rejects.toMatchObject({ status: 401 })
  expect(paths).toEqual(['/api/x'])
  expect(getSession().token).toBe('a.b.other')
})

describe('another user who signs in during a refresh', () => {
  const givenRefresh = (answer: Response) => {
    signIn('a.b.old', user)
    const meanwhile = () => {
      clearSession()
      signIn('a.b.other', other)
    }
    const answers = (path: string) => (path === '/api/auth/refresh' ? answer : refused(401, 'token_expired'))
    return serve(answers, { '/api/auth/refresh': meanwhile })
  }

  it('stays signed in, and is not sent what the former user sent', async () => {
    const paths = givenRefresh(renewed())
    await expect(apiFetch('/x', { method: 'POST' })).rejects.toMatchObject({ status: 401 })
    expect(getSession()).toMatchObject({ token: 'a.b.other', user: { _id: 'u2' } })
    expect(localStorage.getItem('token')).toBe('a.b.other')
    expect(paths).toEqual(['/api/x', '/api/auth/refresh'])
  })

  it.each(['unauthenticated', 'account_banned'])('is not affected by a refusal of the former one: %s', async (code) => {
    givenRefresh(refused(401, code))
    await expect(apiFetch('/x')).rejects.toMatchObject({ status: 401 })
    expect(getSession()).toMatchObject({ token: 'a.b.other', user: { _id: 'u2' }, banned: false })
  })
})

it('concurrent calls share one refresh also in a browser without locks', async () => {
  vi.stubGlobal('navigator', {})
  signIn('a.b.old', user)
  const paths = serve((path, token) => {
    if (path === '/api/auth/refresh') return renewed()
    return token === 'Bearer a.b.new' ? Response.json({}) : refused(401, 'token_expired')
  })
  await Promise.all([1, 2, 3].map((n) => apiFetch(`/x${n}`)))
  expect(paths.filter((path) => path === '/api/auth/refresh')).toHaveLength(1)
})
