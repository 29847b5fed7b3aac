import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainRights } from './fake-backend.ts'
import { type Given, givenRealtime } from './given.ts'

let given: Given
beforeEach(async () => {
  given = await givenRealtime()
})
afterEach(() => given.close())

const decide = async (userId: string, change: { active?: boolean; isBanned?: boolean; isAdmin?: boolean }) => {
  const { active = true, ...rights } = change
  given.backend.users.set(userId, { active, rights: { ...plainRights, ...rights } })
  await given.cache.signal.publish('principal-changed', { userId })
}

describe('a connected user', () => {
  it('receives a ban and is disconnected, and no other user is', async () => {
    const [ann, bob] = [await given.connect('ann'), await given.connect('bob')]
    await decide('ann', { isBanned: true })
    expect(await ann.until('goodbye')).toEqual({ code: 'account_banned' })
    expect(ann.all('user:update')).toEqual([{ isBanned: false, isAdmin: false }, { isBanned: true }])
    await expect.poll(() => ann.socket.connected).toBe(false)
    expect(bob.socket.connected).toBe(true)
  })

  it('receives gained and lost admin rights, and stays connected', async () => {
    const ann = await given.connect('ann')
    await decide('ann', { isAdmin: true })
    await ann.until('user:update', ({ isAdmin }) => isAdmin === true)
    await decide('ann', { isAdmin: false })
    await expect.poll(() => ann.all('user:update').at(-1)).toEqual({ isAdmin: false })
    expect(ann.socket.connected).toBe(true)
  })

  it('is disconnected when the session ends', async () => {
    const ann = await given.connect('ann')
    await decide('ann', { active: false })
    expect(await ann.until('goodbye')).toEqual({ code: 'unauthenticated' })
  })

  it('is disconnected with unavailable when the changed rights cannot be read', async () => {
    const ann = await given.connect('ann')
    given.backend.broken = true
    await given.cache.signal.publish('principal-changed', { userId: 'ann' })
    expect(await ann.until('goodbye')).toEqual({ code: 'unavailable' })
  })

  it('gets models:update when models or settings changed', async () => {
    const ann = await given.connect('ann')
    await given.cache.signal.publish('models-changed', {})
    await given.cache.signal.publish('settings-changed', { version: 2 })
    await expect.poll(() => ann.all('models:update')).toHaveLength(2)
  })

  it('gets users:update when any user changed, as an admin only', async () => {
    given.backend.users.set('eve', { active: true, rights: { ...plainRights, isAdmin: true } })
    const [ann, eve] = [await given.connect('ann'), await given.connect('eve')]
    await given.cache.signal.publish('principal-changed', { userId: 'nobody-connected' })
    expect(await eve.until('users:update')).toEqual({})
    await decide('ann', { isBanned: true })
    await ann.until('goodbye')
    expect(ann.all('users:update')).toEqual([])
  })

  it('gets users:update when another admin acted, as an admin only', async () => {
    given.backend.users.set('eve', { active: true, rights: { ...plainRights, isAdmin: true } })
    const [ann, eve] = [await given.connect('ann'), await given.connect('eve')]
    await given.cache.signal.publish('admin-acted', {})
    expect(await eve.until('users:update')).toEqual({})
    await given.cache.signal.publish('models-changed', {})
    await ann.until('models:update')
    expect(ann.all('users:update')).toEqual([])
  })

  it('gets the number of pending suggestions when it changes, and no other user does', async () => {
    const [ann, bob] = [await given.connect('ann'), await given.connect('bob')]
    await given.cache.signal.publish('memory-changed', { userId: 'ann', pending: 3 })
    expect(await ann.until('memory:update')).toEqual({ pending: 3 })
    await given.cache.signal.publish('memory-changed', { userId: 'bob', pending: 1 })
    expect(await bob.until('memory:update')).toEqual({ pending: 1 })
    expect([ann.all('memory:update').length, bob.all('memory:update').length]).toEqual([1, 1])
  })

  it('learns why an answer is delayed without having joined the chat, and no other user does', async () => {
    const [ann, tablet, bob] = [await given.connect('ann'), await given.connect('ann'), await given.connect('bob')]
    const delay = { state: 'falling-back', from: 'v3', model: 'reader' } as const
    const delayed = { chatId: 'chat-1', messageId: 'answer-1', delay }
    await given.cache.signal.publish('answer-delayed', { userId: 'ann', ...delayed })
    expect(await ann.until('stream:delayed')).toEqual(delayed)
    expect(await tablet.until('stream:delayed')).toEqual(delayed)
    await given.cache.signal.publish('memory-changed', { userId: 'bob', pending: 1 })
    await bob.until('memory:update')
    expect(bob.all('stream:delayed')).toEqual([])
  })

  it('gets the remaining credits once for many concurrent changes', async () => {
    const ann = await given.connect('ann')
    given.backend.credits.set('ann', 42)
    for (let count = 0; count < 50; count += 1) await given.creditsChanged('ann')
    await ann.until('user:update', ({ credits }) => credits?.remaining === 42)
    given.backend.credits.set('ann', 41)
    await given.creditsChanged('ann')
    await ann.until('user:update', ({ credits }) => credits?.remaining === 41)
    expect(given.backend.asked.filter((path) => path === '/internal/accounts').length).toBeLessThanOrEqual(3)
  })

  it('gets the remaining credits after a change together with others, and those of users without a connection are not read', async () => {
    const [ann, bob] = [await given.connect('ann'), await given.connect('bob')]
    given.backend.credits.set('ann', 7).set('bob', 8)
    await given.creditsChanged('program')
    await given.creditsChanged('ann', 'program', 'bob')
    expect(await ann.until('user:update', ({ credits }) => credits !== undefined)).toEqual({
      credits: { remaining: 7 },
    })
    expect(await bob.until('user:update', ({ credits }) => credits !== undefined)).toEqual({
      credits: { remaining: 8 },
    })
    expect(given.backend.asked.filter((path) => path === '/internal/accounts')).toHaveLength(1)
    expect(ann.all('user:update').filter(({ credits }) => credits !== undefined)).toHaveLength(1)
  })

  it('is disconnected with goodbye unavailable when the service drains', async () => {
    const [ann, bob] = [await given.connect('ann'), await given.connect('bob')]
    const stopped = given.running.stop(5_000)
    for (const client of [ann, bob]) expect(await client.until('goodbye')).toEqual({ code: 'unavailable' })
    await stopped
    expect([ann.socket.connected, bob.socket.connected]).toEqual([false, false])
  })

  it('is disconnected, too, when it signs in while the service begins to drain', async () => {
    const held = Promise.withResolvers<void>()
    given.backend.afterStatus = () => held.promise
    const connecting = given.connect('late')
    await expect.poll(() => given.backend.asked.some((path) => path.startsWith('/internal/principals/'))).toBe(true)
    const stopped = given.running.stop(5_000)
    held.resolve()
    expect(await (await connecting).until('goodbye')).toEqual({ code: 'unavailable' })
    await stopped
  })

  it('is counted in the metrics, with the chats it has joined, until it closes', async () => {
    given.chat('ann', 'c1')
    const ann = await given.connect('ann')
    ann.say('join', { chatId: 'c1' })
    await ann.until('chat:init')
    const read = async () => (await fetch(`${given.url}/metrics`)).text()
    const figures = await read()
    expect(figures).toMatch(/realtime_connections\{[^}]*\} 1/)
    expect(figures).toMatch(/realtime_rooms\{[^}]*\} 1/)
    expect(figures).toMatch(/realtime_joins_total\{outcome="joined"[^}]*\} 1/)
    ann.close()
    await expect.poll(read).toMatch(/realtime_connections\{[^}]*\} 0/)
    await expect.poll(read).toMatch(/realtime_rooms\{[^}]*\} 0/)
  })
})
