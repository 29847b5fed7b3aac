import { type Memory, memoryInternalRoutes } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { newId } from '@parley/kit'
import { type ApiCaller, servicePrincipal, testEvent, testLog, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { textKey } from '../src/account.ts'
import { type GivenMemory, givenMemory } from './given-memory.ts'

let given: GivenMemory
let query: (sql: string, values: unknown[]) => Promise<{ id: string; doc: { space: string; key: string } }[]>
let closeQueries: () => Promise<void>
let me: ApiCaller
let userId: string
const patient = { interval: 250, timeout: 30_000 }
beforeAll(async () => {
  given = await givenMemory()
  const { pool, close } = openPostgres({ url: given.url, schema: 'memory', log: testLog })
  query = async (sql, values) => (await pool.query(sql, values)).rows
  closeQueries = close
})
afterAll(async () => {
  await closeQueries()
  await given.stop()
})
beforeEach(() => {
  const { embedder } = given.others
  Object.assign(embedder, { space: 'first', asked: [], abandoned: 0, until: Promise.resolve() })
  Object.assign(embedder, { synonyms: { filberts: 'hazelnut', sick: 'allergies' }, outcome: () => 'answer' })
  const user = given.user()
  userId = user.userId
  me = user.api
})

const semantic = async (semanticMemory = true) => {
  expect((await me.patch('/api/memory/settings', { semanticMemory })).status).toBe(200)
}
const add = async (text: string): Promise<Memory> => {
  const { status, body } = await me.post('/api/memory', { text })
  expect(status).toBe(201)
  return (body as { memory: Memory }).memory
}
const vectors = async () => await query("select id, doc from memory_vectors where doc ->> 'ownerId' = $1", [userId])
const vectorIds = async () => (await vectors()).map(({ id }) => id).sort()
const relevant = async (message: string) => {
  const body = { userId, message, maxTokens: 1_000 }
  const answer = await given.api.as(servicePrincipal('chat')).call(memoryInternalRoutes.relevant, { body })
  expect(answer.status).toBe(200)
  return answer.body.memories.map(({ text }) => text)
}
const meant = 'Filberts make me sick'
const question = 'Hazelnut allergies?'
/** A memory that shares no word with the question, and enough later ones to keep it out of the latest in a prompt. */
const givenMeant = async (): Promise<Memory> => {
  const memory = await add(meant)
  for (let nth = 0; nth < 12; nth += 1) await add(`Unrelated fact ${nth}`)
  return memory
}
const allMade = (count: number) => expect.poll(async () => (await vectors()).length, patient).toBe(count)
const foundByMeaning = () => expect.poll(async () => (await relevant(question))[0], patient).toBe(meant)
const asked = () => given.others.embedder.asked.flat()

describe('a memory that shares no word with a message', () => {
  it('is found by its meaning, with semantic memory on', async () => {
    await semantic()
    await givenMeant()
    await allMade(13)
    await foundByMeaning()
    expect((await relevant('What about the weather?')).includes(meant)).toBe(false)
    expect(await given.metrics.metrics()).toMatch(/memory_embedding_tokens_total\{[^}]*model="vectors"[^}]*\} \d/)
  })

  it('is found even if it is older than the setting or the current model', async () => {
    await givenMeant()
    expect([await vectors(), asked()]).toEqual([[], []])
    await semantic()
    await allMade(13)
    await foundByMeaning()
    given.others.embedder.space = 'second'
    await expect
      .poll(async () => {
        await relevant(question)
        return (await vectors()).filter(({ doc }) => doc.space === 'second').length
      }, patient)
      .toBe(13)
    await foundByMeaning()
  })

  it('is not found with semantic memory off, and no text is sent to a model', async () => {
    await givenMeant()
    expect(await relevant(question)).not.toContain(meant)
    await semantic()
    await allMade(13)
    await semantic(false)
    expect(await vectors()).toEqual([])
    given.others.embedder.asked = []
    await me.post('/api/memory', { text: 'Said with it off' })
    expect(await relevant(question)).not.toContain(meant)
    await othersMade()
    expect(asked().filter((text) => text === question || text.includes('with it off'))).toEqual([])
  })

  it('is not found without an embedding model, until there is one', async () => {
    given.others.embedder.space = null
    await semantic()
    await givenMeant()
    expect(await relevant(question)).not.toContain(meant)
    expect(await vectors()).toEqual([])
    given.others.embedder.space = 'first'
    await foundByMeaning()
  })

  it('is skipped while the model hangs, which delays no message and is not called for each one', async () => {
    await semantic()
    await givenMeant()
    await add('The word hazelnut')
    await allMade(14)
    await expect.poll(async () => (await relevant(question)).includes(meant), patient).toBe(true)
    given.others.embedder.asked = []
    given.others.embedder.outcome = () => 'hang'
    const found = await relevant(question)
    expect([found[0], found.includes(meant)]).toEqual(['The word hazelnut', false])
    await expect.poll(() => given.others.embedder.abandoned).toBe(1)
    await relevant(question)
    expect(asked()).toEqual([question])
    given.others.embedder.outcome = () => 'answer'
    await expect.poll(async () => (await relevant(question)).includes(meant), patient).toBe(true)
  })
})

it('texts to be embedded are read for their owner only', async () => {
  const { body } = await me.post('/api/memory', { text: 'I live in Bristol' })
  const { id } = (body as { memory: { id: string } }).memory
  const { texts } = given.stores.vectors
  expect([await texts(userId, [id]), await texts(given.user().userId, [id])]).toEqual([
    new Map([[id, 'I live in Bristol']]),
    new Map(),
  ])
})

/** Waits for another user's vectors, which are made after all earlier work. */
const othersMade = async () => {
  const before = [me, userId] as const
  const other = given.user()
  ;[me, userId] = [other.api, other.userId]
  await semantic()
  await add('Of another user')
  await allMade(1)
  ;[me, userId] = before
}

describe('the vector of a memory', () => {
  it('is deleted when its memory is deleted or forgotten, and restored with it', async () => {
    await semantic()
    const [one, other, third] = [await add('The first'), await add('The second'), await add('The third')]
    await allMade(3)
    await me.delete(`/api/memory/${one.id}`)
    await me.delete(`/api/memory/${other.id}?forever=true`)
    expect(await vectorIds()).toEqual([third.id])
    await me.post(`/api/memory/${one.id}/restore`)
    await allMade(2)
    expect((await me.delete('/api/memory')).body).toEqual({ cleared: 2 })
    expect(await vectors()).toEqual([])
    await me.post('/api/memory/restore')
    await allMade(2)
    expect(await vectorIds()).toEqual([one.id, third.id].sort())
  })

  it('is recreated for an edited text, even if the former one is still being created', async () => {
    await semantic()
    const { id } = await add('The first text')
    await allMade(1)
    await me.patch(`/api/memory/${id}`, { text: meant })
    await expect.poll(async () => (await vectors()).map(({ doc }) => doc.key), patient).toEqual([textKey(meant)])

    let answer = (_: unknown): void => undefined
    given.others.embedder.until = new Promise((resolve) => {
      answer = resolve
    })
    await me.patch(`/api/memory/${id}`, { text: 'The second text' })
    await waitUntil(() => asked().includes('The second text') || undefined, 'the second text is sent')
    await me.patch(`/api/memory/${id}`, { text: 'The third text' })
    answer(undefined)
    await waitUntil(() => asked().includes('The third text') || undefined, 'the third text is sent')
    const keyOfThird = textKey('The third text')
    await expect.poll(async () => (await vectors()).map(({ doc }) => doc.key), patient).toEqual([keyOfThird])
    await me.delete(`/api/memory/${id}?forever=true`)
    expect(await vectors()).toEqual([])
  })

  it('is not left behind when the memory is forgotten or the user erased while it is being created', async () => {
    await semantic()
    const kept = await add('Kept')
    await allMade(1)
    let answer = (_: unknown): void => undefined
    given.others.embedder.until = new Promise((resolve) => {
      answer = resolve
    })
    const { id } = await add('Forgotten')
    await waitUntil(() => asked().includes('Forgotten') || undefined, 'the text is sent')
    await me.delete(`/api/memory/${id}?forever=true`)
    answer(undefined)
    await othersMade()
    expect(await vectorIds()).toEqual([kept.id])

    given.others.embedder.until = new Promise((resolve) => {
      answer = resolve
    })
    await add('Erased')
    await waitUntil(() => asked().includes('Erased') || undefined, 'the text is sent')
    const erasureId = newId()
    await given.bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId })])
    await expect.poll(() => given.others.erased).toContain(erasureId)
    answer(undefined)
    await othersMade()
    expect(await vectors()).toEqual([])
  })

  it('is retried after a failure, and a refused text does not block the others', async () => {
    await semantic()
    const texts = ['One', 'Refused', 'Two']
    given.others.embedder.outcome = (sent) => (sent.includes('Refused') ? 'refuse' : 'answer')
    await me.post('/api/memory/import', { memories: texts.map((text) => ({ text })) })
    await allMade(2)
    let failures = 0
    given.others.embedder.outcome = () => {
      failures += 1
      return failures === 1 ? 'fail' : 'answer'
    }
    await add('After a failure')
    // Wait until the failure is recorded, then shorten the backoff.
    const account = "select doc from memory_accounts where id = $1 and (doc -> 'vectors' ->> 'tries')::int = 1"
    await expect.poll(async () => (await query(account, [userId])).length, patient).toBe(1)
    await query('update memory_accounts set doc = doc || $2, version = version + 1 where id = $1', [
      userId,
      JSON.stringify({ vectorsDueAt: new Date(0).toISOString() }),
    ])
    await allMade(3)
  })

  it('is not created from secrets', async () => {
    await semantic()
    const { id } = await add('I live in Bristol')
    await add('My password is tulip')
    await allMade(1)
    await relevant('Where is it?\nMy password is daisy')
    await othersMade()
    expect(await vectorIds()).toEqual([id])
    expect(asked().join()).not.toMatch(/tulip|daisy/)
  })

  it('is not exported', async () => {
    await semantic()
    await add('I live in Bristol')
    await allMade(1)
    const exportId = newId()
    await given.bus.publish([testEvent('auth.data-export-requested', userId, { userId, exportId })])
    const files = await waitUntil(() => given.others.exports.filesOf(exportId), 'the export')
    expect([...files.values()].join()).toContain('I live in Bristol')
    expect([...files.values()].join()).not.toMatch(/vector|space|"data"/)
  })
})
