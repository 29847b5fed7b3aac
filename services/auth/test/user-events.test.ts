import { authRoutes, userUpdateSchema } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type OpenAnswer, readEvents } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenUser, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const decide = (id: string, change: { banned: boolean } | { isAdmin: boolean }) =>
  auth.stores.userAdmin.decide(id, (target) => ({
    change,
    entry: { id: newId(), actorId: 'a', action: 'test', target: target.id, requestId: 'r' },
    events: [],
  }))
const tell = (userId: string) => auth.signal.publish('principal-changed', { userId })

async function follow(answer: OpenAnswer) {
  const updates: unknown[] = []
  const ended = (async () => {
    for await (const { data } of readEvents(answer)) updates.push(userUpdateSchema.parse(JSON.parse(data)))
  })()
  return { updates, ended }
}

describe('the stream of a user', () => {
  it('says at once what is so, then each change, also to the banned', async () => {
    const { browser, user } = await givenUser(auth)
    const answer = await auth.api.as(await browser.principal()).stream(authRoutes.events)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    })
    const { updates, ended } = await follow(answer)
    const plain = { type: 'user:update', isBanned: false, isAdmin: false }
    await expect.poll(() => updates).toEqual([plain])
    await decide(user._id, { banned: true })
    await tell(user._id)
    await expect.poll(() => updates).toEqual([plain, { ...plain, isBanned: true }])
    await tell('somebody-else')
    await decide(user._id, { isAdmin: true })
    await tell(user._id)
    await expect.poll(() => updates.at(-1)).toEqual({ type: 'user:update', isBanned: true, isAdmin: true })
    expect(updates).toHaveLength(3)
    answer.body.destroy()
    await ended.catch(() => undefined)
  })

  it('ends with the session', async () => {
    const { browser } = await givenUser(auth)
    const { updates, ended } = await follow(await auth.api.as(await browser.principal()).stream(authRoutes.events))
    await expect.poll(() => updates).toHaveLength(1)
    await browser.call(authRoutes.logout)
    await ended
  })

  it('is for the signed-in only', async () => {
    expect((await auth.api.as(await openBrowser(auth).principal()).call(authRoutes.events)).status).toBe(401)
  })
})
