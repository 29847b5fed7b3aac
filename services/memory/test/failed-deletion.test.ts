import { openPostgres } from '@parley/db'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import { openMemoryStores } from '../src/store/index.ts'
import { givenMemory } from './given-memory.ts'

it('the text of a forgotten memory is deleted by the next clean-up if that fails at once', async () => {
  const given = await givenMemory()
  const { pool, close } = openPostgres({ url: given.url, schema: 'memory', log: testLog })
  const later = openMemoryStores({ url: given.url, log: testLog, now: () => new Date(Date.now() + 10 * 60_000) })
  const { userId, api } = given.user()
  const texts = async () =>
    (await pool.query("select doc ->> 'text' as text from memories where doc ->> 'ownerId' = $1", [userId])).rows
  const { body } = await api.post('/api/memory', { text: 'My secret' })
  const { id } = (body as { memory: { id: string } }).memory
  await api.post('/api/memory', { text: 'Another' })

  await pool.query("create function fail() returns trigger language plpgsql as 'begin raise exception ''away''; end'")
  await pool.query('create trigger fails before delete on memories for each statement execute function fail()')
  expect((await api.delete(`/api/memory/${id}?forever=true`)).status).toBe(500)
  expect((await api.get('/api/memory')).body).toMatchObject({ items: [{ text: 'Another' }] })
  await pool.query('drop trigger fails on memories')

  await later.memories.tidy()
  expect(await texts()).toEqual([{ text: 'Another' }])
  expect(await later.memories.tidy()).toBe(0)
  await Promise.all([later.close(), close()])
  await given.stop()
})
