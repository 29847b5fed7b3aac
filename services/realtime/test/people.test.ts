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

describe('a user who is connected', () => {
  it('is told of a ban, then is out, and nobody else is', async () => {
    const [ann, bob] = [await given.connect('ann'), await given.connect('bob')]
    await decide('ann', { isBanned: true })
    expect(await ann.until('goodbye')).toEqual({ code: 'account_banned' })
    expect(ann.all('user:update')).toEqual([{ isBanned: false, isAdmin: false }, { isBanned: true }])
    await expect.poll(() => ann.socket.connected).toBe(false)
    expect(bob.socket.connected).toBe(true)
  })

  it('is told of rights gained and lost, and stays', async () => {
    const ann = await given.connect('ann')
    await decide('ann', { isAdmin: true })
    await ann.until('user:update', ({ isAdmin }) => isAdmin === true)
    await decide('ann', { isAdmin: false })
    await expect.poll(() => ann.all('user:update').at(-1)).toEqual({ isAdmin: false })
    expect(ann.socket.connected).toBe(true)
  })

  it('is out with the session', async () => {
    const ann = await given.connect('ann')
    await decide('ann', { active: false })
    expect(await ann.until('goodbye')).toEqual({ code: 'unauthenticated' })
  })

  it('is out for now when it cannot be found out what changed', async () => {
    const ann = await given.connect('ann')
    given.backend.broken = true
    await given.cache.signal.publish('principal-changed', { userId: 'ann' })
    expect(await ann.until('goodbye')).toEqual({ code: 'unavailable' })
  })

  it('is told that models or settings changed', async () => {
    const ann = await given.connect('ann')
    await given.cache.signal.publish('models-changed', {})
    await given.cache.signal.publish('settings-changed', { version: 2 })
    await expect.poll(() => ann.all('models:update')).toHaveLength(2)
  })

  it('is told what is left, once for many changes of a moment, and nothing of old ones', async () => {
    const ann = await given.connect('ann')
    given.backend.credits.set('ann', 42)
    await given.creditsChanged('ann', new Date(Date.now() - 120_000))
    for (let count = 0; count < 50; count += 1) await given.creditsChanged('ann')
    await ann.until('user:update', ({ credits }) => credits?.remaining === 42)
    given.backend.credits.set('ann', 41)
    await given.creditsChanged('ann')
    await ann.until('user:update', ({ credits }) => credits?.remaining === 41)
    expect(given.backend.asked.filter((path) => path === '/internal/accounts').length).toBeLessThanOrEqual(3)
  })

  it('is told to come back, then is let go, when the service leaves', async () => {
    const [ann, bob] = [await given.connect('ann'), await given.connect('bob')]
    const stopped = given.running.stop(5_000)
    for (const client of [ann, bob]) expect(await client.until('goodbye')).toEqual({ code: 'unavailable' })
    await stopped
    expect([ann.socket.connected, bob.socket.connected]).toEqual([false, false])
  })

  it('is counted', async () => {
    given.chat('ann', 'c1')
    const ann = await given.connect('ann')
    ann.say('join', { chatId: 'c1' })
    await ann.until('chat:init')
    const figures = await (await fetch(`${given.url}/metrics`)).text()
    expect(figures).toMatch(/realtime_connections\{[^}]*\} 1/)
    expect(figures).toMatch(/realtime_rooms\{[^}]*\} 1/)
    expect(figures).toMatch(/realtime_joins_total\{outcome="joined"[^}]*\} 1/)
  })
})
