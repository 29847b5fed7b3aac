import { defaultPreferences, type Preferences } from '@parley/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { storedUser as user } from '../../testing/given-user.ts'
import { getSession, useSession } from '../session/index.ts'
import { savePreferences } from './save-preferences.ts'

/** A server that responds on demand. */
function server() {
  let kept: Preferences = defaultPreferences
  const calls: { changes: Partial<Preferences>; token: string | null; answer: (status?: number) => void }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/user/profile')) return Promise.resolve(Response.json({}))
    const { preferences } = JSON.parse(String(init.body)) as { preferences: Partial<Preferences> }
    const token = new Headers(init.headers).get('authorization')
    const _id = token === 'Bearer a.b.d' ? 'u2' : 'u1'
    return new Promise<Response>((resolve) => {
      calls.push({
        changes: preferences,
        token,
        answer: (status = 200) => {
          if (status === 200) kept = { ...kept, ...preferences }
          resolve(Response.json({ user: { ...user, _id, email: '', preferences: kept } }, { status }))
        },
      })
    })
  })
  const call = (at: number) => vi.waitUntil(() => calls[at], { timeout: 10_000 })
  return { calls, call }
}

beforeEach(() => {
  givenStorage()
  useSession.setState({ token: 'a.b.c', user, guestSessionId: null, banned: false })
})
afterEach(() => vi.unstubAllGlobals())

it('preferences changed during a save are sent in one further call, and only the last response is shown', async () => {
  const { calls, call } = server()
  const saved = savePreferences({ theme: 'delglight' })
  const first = await call(0)
  const later = [savePreferences({ theme: 'system' }), savePreferences({ showThinking: false })]
  first.answer()
  const second = await call(1)
  expect(getSession().user?.preferences.theme).toBe('delgdark')
  expect(second.changes).toEqual({ theme: 'system', showThinking: false })
  second.answer()
  await Promise.all([saved, ...later])
  expect(getSession().user?.preferences).toMatchObject({ theme: 'system', showThinking: false })
  expect(calls).toHaveLength(2)
})

it('a failed save of preferences fails for all waiting changes, which are dropped', async () => {
  const { call } = server()
  const saved = [savePreferences({ theme: 'delglight' })]
  const first = await call(0)
  saved.push(savePreferences({ showThinking: false }))
  first.answer(500)
  expect(await Promise.allSettled(saved)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  const next = savePreferences({ autoSaveChats: false })
  const second = await call(1)
  expect(second.changes).toEqual({ autoSaveChats: false })
  second.answer()
  await next
})

describe('another user who signs in during a save of preferences', () => {
  it('is not shown the response, and gets none of the preferences that waited for it', async () => {
    const { calls, call } = server()
    const saved = savePreferences({ theme: 'delglight' })
    const first = await call(0)
    const waiting = savePreferences({ showThinking: false })
    useSession.setState({ token: 'a.b.d', user: { ...user, _id: 'u2' } })
    first.answer()
    await Promise.all([saved, waiting])
    expect(getSession().user).toMatchObject({ _id: 'u2', preferences: { theme: 'delgdark' } })
    expect(calls).toHaveLength(1)
  })

  it('has their own preferences saved by a call of their own', async () => {
    const { calls, call } = server()
    const former = savePreferences({ theme: 'delglight' })
    const first = await call(0)
    useSession.setState({ token: 'a.b.d', user: { ...user, _id: 'u2' } })
    const own = savePreferences({ showThinking: false })
    const second = await call(1)
    expect([first, second].map(({ changes, token }) => [token, changes])).toEqual([
      ['Bearer a.b.c', { theme: 'delglight' }],
      ['Bearer a.b.d', { showThinking: false }],
    ])
    second.answer()
    first.answer()
    await Promise.all([former, own])
    expect(getSession().user?._id).toBe('u2')
    expect(calls).toHaveLength(2)
  })
})
