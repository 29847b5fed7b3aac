import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { user } from '../../testing/given-user.ts'
import { clearSession, getSession, setUser, signIn } from '../session/index.ts'
import { useSession } from '../session/session.ts'
import { guestInfoQuery, profileQuery } from './queries.ts'

const client = new QueryClient()

beforeEach(() => {
  client.clear()
  givenStorage()
  useSession.setState({ token: null, user: null, guestSessionId: null, banned: false })
})
afterEach(() => vi.unstubAllGlobals())

describe('the profile', () => {
  it('is stored for the next visit', async () => {
    signIn('a.b.c', user)
    vi.stubGlobal('fetch', async () => Response.json({ user: { ...user, displayName: 'Ada' } }))
    await client.fetchQuery(profileQuery)
    expect(getSession().user?.displayName).toBe('Ada')
  })

  it('is requested again when a change is saved during the request, whose response may be from before it', async () => {
    signIn('a.b.c', user)
    const saved = { ...user, displayName: 'Ada' }
    const responses = [user, saved]
    vi.stubGlobal('fetch', async () => {
      if (responses.length === 2) setUser(saved)
      return Response.json({ user: responses.shift() })
    })
    await client.fetchQuery(profileQuery)
    expect(getSession().user?.displayName).toBe('Ada')
    expect(responses).toEqual([])
  })

  it('is not stored if the user signed out while it was being loaded', async () => {
    signIn('a.b.c', user)
    vi.stubGlobal('fetch', async () => {
      clearSession()
      return Response.json({ user })
    })
    await client.fetchQuery(profileQuery)
    expect(getSession()).toMatchObject({ token: null, user: null })
    expect(localStorage.getItem('user')).toBeNull()
  })
})

describe('the guest allowance', () => {
  const refused = (status: number, code: string) => Response.json({ error: code, code, requestId: 'r1' }, { status })

  it('is zero if guests are not allowed', async () => {
    vi.stubGlobal('fetch', async () => refused(401, 'guest_not_allowed'))
    expect(await client.fetchQuery(guestInfoQuery)).toBeNull()
  })

  it.each([
    ['fails', async () => refused(503, 'unavailable')],
    ['cannot be reached', () => Promise.reject(new TypeError('failed to fetch'))],
  ])('is assumed to be two messages while the server %s', async (_what, answer) => {
    vi.stubGlobal('fetch', answer)
    expect(await client.fetchQuery(guestInfoQuery)).toMatchObject({ remainingMessages: 2, messageLimit: 2 })
  })
})
