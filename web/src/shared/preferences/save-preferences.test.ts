import { defaultPreferences, type Preferences } from '@parley/contracts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { storedUser as user } from '../../testing/given-user.ts'
import { getSession, useSession } from '../session/index.ts'
import { savePreferences } from './save-preferences.ts'

/** A server that responds on demand. */
function server() {
  let kept: Preferences = defaultPreferences
  const calls: { changes: Partial<Preferences>; answer: (status?: number) => void }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.endsWith('/user/profile')) return Promise.resolve(Response.json({}))
    const { preferences } = JSON.parse(String(init.body)) as { preferences: Partial<Preferences> }
    return new Promise<Response>((resolve) => {
      calls.push({
        changes: preferences,
        answer: (status = 200) => {
          if (status === 200) kept = { ...kept, ...preferences }
          resolve(Response.json({ user: { ...user, email: '', preferences: kept } }, { status }))
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

it('a response to a save of preferences is not shown to another user who signed in meanwhile', async () => {
  const { call } = server()
  const saved = savePreferences({ theme: 'delglight' })
  const first = await call(0)
  useSession.setState({ user: { ...user, _id: 'u2' } })
  first.answer()
  await saved
  expect(getSession().user).toMatchObject({ _id: 'u2', preferences: { theme: 'delgdark' } })
})
