import { collect, readEvents } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, unlimited, type World } from './given.ts'

const send = { message: 'Count for me', model: 'v3' }

describe('two replicas of every service in one process', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
  })
  afterAll(() => world.close())

  it('serve on one an answer that began on the other', async () => {
    const ann = await world.register()
    const chunks = Array.from({ length: 60 }, (_, index) => `${index} `)
    world.provider.reply({ chunks, delayMs: 5 })
    const first = readEvents(await ann.api.open('POST', '/api/chat', { body: send }))
    const start = (await first.next()).value
    const { messageId } = JSON.parse(start?.data ?? '{}') as { messageId: string }
    const last = (await first.next()).value
    await first.return(undefined)
    const resumed = await world
      .elsewhere(ann, 1)
      .open('GET', `/api/chat/stream/${messageId}`, { headers: { 'last-event-id': last?.id ?? '' } })
    const events = await collect(readEvents(resumed))
    expect(events[0]?.id).toBe(String(Number(last?.id) + 1))
    expect(events.at(-1)?.data).toBe('[DONE]')
    const texts = [last, ...events.slice(0, -1)].map((event) => JSON.parse(event?.data ?? '{}').text ?? '')
    expect(texts.join('')).toBe(chunks.join(''))
  })

  it('stop on one an answer that runs on the other', async () => {
    const ann = await world.register()
    world.provider.reset()
    world.provider.reply({ chunks: ['one ', 'two'], hang: { after: 1 } })
    const events = readEvents(await ann.api.open('POST', '/api/chat', { body: send }))
    const { messageId } = JSON.parse((await events.next()).value?.data ?? '{}') as { messageId: string }
    await events.next()
    const stopped = await world.elsewhere(ann, 1).post(`/api/chat/stream/${messageId}/stop`)
    expect([stopped.status, stopped.body]).toEqual([200, { stopped: true }])
    const rest = await collect(events)
    expect(JSON.parse(rest.at(-2)?.data ?? '{}')).toMatchObject({ done: true, finishReason: 'stopped' })
    await world.provider.aborted(1)
  })

  it('apply a ban and changed settings of the other at once', async () => {
    const [ann, admin] = [await world.register(), await world.admin()]
    const elsewhere = world.elsewhere(ann, 1)
    expect((await elsewhere.get('/api/chat/history')).status).toBe(200)
    await admin.api.patch(`/api/admin/users/${ann.user._id}`, { banned: true })
    expect((await elsewhere.get('/api/chat/history')).status).toBe(403)
    expect((await world.at(1).get('/api/chat/guest-info')).status).toBe(200)
    await world.settings({ guest: { enabled: false } })
    expect((await world.at(1).get('/api/chat/guest-info')).status).toBe(401)
  })

  it('accept each other’s tokens and sessions', async () => {
    const ann = await world.register()
    expect((await world.elsewhere(ann, 1).get('/api/user/profile')).body).toMatchObject({ user: { _id: ann.user._id } })
  })
})
