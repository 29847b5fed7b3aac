import type { Memory, MemoryProfile, MemorySettings, MemorySuggestion } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { newId } from '@parley/kit'
import { type ApiCaller, testEvent, testLog, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenMemory, givenMemory } from './given-memory.ts'

let given: GivenMemory
let me: ApiCaller
let userId: string
beforeAll(async () => {
  given = await givenMemory()
})
afterAll(() => given.stop())
beforeEach(() => {
  const user = given.user()
  userId = user.userId
  me = user.api
})

const suggestions = async (): Promise<MemorySuggestion[]> =>
  ((await me.get('/api/memory/suggestions')).body as { items: MemorySuggestion[] }).items
const suggested = async () => (await suggestions()).map(({ text }) => text)
const stored = async () => ((await me.get('/api/memory')).body as { items: Memory[] }).items.map(({ text }) => text)
const profile = async () => (await me.get('/api/memory/profile')).body as MemoryProfile
const settings = async (patch: object) => {
  const { status, body } = await me.patch('/api/memory/settings', patch)
  expect(status).toBe(200)
  return body as MemorySettings
}
/** Waits for a later event of the same group, so that all earlier ones are handled. */
const allHandled = async (): Promise<void> => {
  const other = given.user()
  await given.said(other.userId, 'I live in Handled.')
  await waitUntil(() => given.changes.find((change) => change.userId === other.userId), 'what came before is handled')
}
const said = async (text: string, more: object = {}): Promise<string> => {
  const id = await given.said(userId, text, more)
  await allHandled()
  return id
}

describe('a suggestion', () => {
  it("is detected in a user's message with source, confidence and reason, and signalled to open windows", async () => {
    const answerId = await said('My name is Clara. I live in Bristol. What is the time?')
    expect(await suggestions()).toMatchObject([
      { text: 'I live in Bristol.', category: 'location', confidence: 'high', reason: expect.stringMatching(/live/) },
      { text: 'My name is Clara.', source: { chatId: 'chat', messageId: `of-${answerId}` }, lastUsedAt: null },
    ])
    const french = await me.get('/api/memory/suggestions', { headers: { 'accept-language': 'fr' } })
    expect(french.text).toContain('Vous avez dit où vous vivez')
    expect(await stored()).toEqual([])
    expect(given.changes.filter((change) => change.userId === userId)).toEqual([{ userId, pending: 2 }])
  })

  it('gets its text when its event comes again after a failure between writing the account and the text', async () => {
    const generationId = await said('I live in Bristol.')
    const [{ id } = { id: '' }] = await suggestions()
    const { pool, close } = openPostgres({ url: given.url, schema: 'memory', log: testLog })
    await pool.query('delete from memories where id = $1', [id])
    await close()
    expect(await suggested()).toEqual([])
    await given.publish(userId, { generationId })
    await allHandled()
    expect(await suggestions()).toMatchObject([{ id, text: 'I live in Bristol.' }])
    expect((await profile()).suggestions.seen).toBe(1)
  })

  it('is made once for repeated events and repeated texts, and not for a stored text', async () => {
    await me.post('/api/memory', { text: 'I live in Bristol' })
    const generationId = await said('I live in Bristol. I speak French.')
    await given.publish(userId, { generationId })
    await said('I speak French!')
    expect(await suggested()).toEqual(['I speak French.'])
  })

  it('is approved unchanged or edited, and decided once', async () => {
    await said('I live in Bristol. I speak French.')
    const [french, bristol] = await suggestions()
    const approved = await me.post(`/api/memory/suggestions/${bristol?.id}/approve`)
    expect(approved.body).toMatchObject({ memory: { id: bristol?.id, text: 'I live in Bristol.', status: 'stored' } })
    const change = { text: 'I speak good French', category: 'education' }
    const changed = await me.post(`/api/memory/suggestions/${french?.id}/approve`, change)
    expect(changed.body).toMatchObject({ memory: { ...change, source: french?.source } })
    expect((await stored()).sort()).toEqual(['I live in Bristol.', 'I speak good French'])
    expect((await me.post(`/api/memory/suggestions/${french?.id}/approve`, {})).status).toBe(404)
    expect((await me.post(`/api/memory/suggestions/${french?.id}/dismiss`)).status).toBe(404)
    expect(given.changes.filter((each) => each.userId === userId).map(({ pending }) => pending)).toEqual([2, 1, 0])
  })

  it('is removed at once when dismissed, and not made again', async () => {
    await said('I live in Bristol.')
    const [one] = await suggestions()
    expect((await me.post(`/api/memory/suggestions/${one?.id}/dismiss`)).status).toBe(204)
    expect((await me.post(`/api/memory/suggestions/${one?.id}/dismiss`)).status).toBe(404)
    expect(await given.stores.memories.find(userId, one?.id ?? '')).toBeUndefined()
    await said('I live in Bristol!')
    expect(await suggested()).toEqual([])
  })

  it('is approved or dismissed with all others', async () => {
    await said('I live in Bristol. I speak French. My dog is called Biscuit.')
    expect((await me.post('/api/memory/suggestions/approve-all')).body).toEqual({ approved: 3 })
    expect((await me.post('/api/memory/suggestions/approve-all')).body).toEqual({ approved: 0 })
    await said('I love hiking. My cat is called Tom.')
    expect((await me.post('/api/memory/suggestions/dismiss-all')).body).toEqual({ dismissed: 2 })
    expect(await suggested()).toEqual([])
    expect(await stored()).toHaveLength(3)
    expect((await profile()).suggestions).toEqual({ seen: 5, approved: 3, rejected: 2 })
  })

  it('is not made from an answer that ended days ago, as a new consumer group receives it', async () => {
    const generationId = newId()
    const question = { messageId: 'old', content: 'I live in Bristol.', memoryEnabled: true }
    given.others.questions.set(generationId, question)
    await given.publish(userId, { generationId }, new Date(Date.now() - 2 * 24 * 60 * 60 * 1000))
    await allHandled()
    expect(await suggested()).toEqual([])
  })

  it('is not made while memory or detection is off for the user or chat, nor for guests and images', async () => {
    await said('I live in Bristol.', { memoryEnabled: false })
    await settings({ autoDetection: false })
    await said('I live in Bath.')
    await settings({ autoDetection: true, enabled: false })
    await said('I live in Wells.')
    await settings({ enabled: true })
    const image = newId()
    given.others.questions.set(image, { messageId: 'image', content: 'I live in Ely.', memoryEnabled: true })
    await given.publish(userId, { generationId: image, source: 'image' })
    await given.publish(userId, { generationId: 'whose-chat-is-gone' })
    await allHandled()
    expect(await suggested()).toEqual([])
    await said('I live in York.')
    expect(await suggested()).toEqual(['I live in York.'])
  })

  it('is decided when its text is added as a memory', async () => {
    await said('I live in Bristol.')
    const [one] = await suggestions()
    await me.post('/api/memory', { text: 'I live in Bristol' })
    expect(await suggested()).toEqual([])
    expect((await me.post(`/api/memory/suggestions/${one?.id}/approve`, {})).status).toBe(404)
  })
})

it('memories used by an answer record the time of use', async () => {
  const { body } = await me.post('/api/memory', { text: 'I live in Bristol' })
  const { id } = (body as { memory: Memory }).memory
  await given.publish(userId, { memoriesUsed: [id, 'unknown'] })
  await allHandled()
  const { items } = (await me.get('/api/memory')).body as { items: Memory[] }
  expect(items).toMatchObject([{ id, lastUsedAt: expect.stringMatching(/Z$/) }])
})

describe('the settings', () => {
  it('default to detection on, semantic memory and consolidation off, all categories and built-in patterns on', async () => {
    const { body } = await me.get('/api/memory/settings')
    const { detectionPatterns, categoryPreferences, ...rest } = body as MemorySettings
    expect(rest).toEqual({
      enabled: true,
      autoDetection: true,
      semanticMemory: false,
      autoConsolidation: false,
      confidenceThreshold: 'medium',
    })
    expect(Object.values(categoryPreferences)).toEqual(Array(15).fill(true))
    expect(detectionPatterns.every(({ builtIn, enabled }) => builtIn && enabled)).toBe(true)
  })

  it('accept own patterns, which suggestions use, and turn built-in patterns and categories off', async () => {
    const own = { name: 'Project', pattern: 'project \\w+', category: 'demo' }
    const changed = await settings({
      detectionPatterns: [own, { id: 'location', enabled: false }],
      categoryPreferences: { contact: false },
    })
    const kept = changed.detectionPatterns.filter(({ builtIn }) => !builtIn)
    expect(kept).toEqual([{ ...own, id: expect.any(String), enabled: true, builtIn: false }])
    await said('Project Albatross starts now. I live in Bristol. My email is a@example.org.')
    expect(await suggestions()).toMatchObject([{ text: 'Project Albatross starts now.', category: 'demo' }])
    const renamed = await settings({ detectionPatterns: [{ id: kept[0]?.id, name: 'Mine' }] })
    expect(renamed.detectionPatterns.at(-1)).toMatchObject({ ...own, id: kept[0]?.id, name: 'Mine' })
    expect(renamed.detectionPatterns.find(({ id }) => id === 'location')?.enabled).toBe(false)
    const sameAgain = await settings({ detectionPatterns: renamed.detectionPatterns })
    expect(sameAgain).toEqual(renamed)
    const twice = [0, 1].map(() => ({ id: kept[0]?.id, name: 'Mine' }))
    expect(await me.patch('/api/memory/settings', { detectionPatterns: twice })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'detectionPatterns.1.id' }] },
    })
    const none = await settings({ detectionPatterns: [] })
    expect(none.detectionPatterns.filter(({ builtIn }) => !builtIn)).toEqual([])
  })

  it('with a pattern on which a backtracking matcher would never end are applied to a message as long as one may be', async () => {
    await settings({ detectionPatterns: [{ name: 'Endless', pattern: '(a+)+$', category: 'demo' }] })
    await said(`I live in Lisbon. ${`${'a'.repeat(280)}!\n`.repeat(14)}`)
    await said(`${'a'.repeat(10_000)}!`)
    await said('I live in Bristol.')
    expect((await suggested()).filter((text) => text.startsWith('I live'))).toEqual([
      'I live in Bristol.',
      'I live in Lisbon.',
    ])
  })

  it.each([
    ['a look-ahead', [{ name: 'a', pattern: 'a(?=b)' }], 'detectionPatterns.0.pattern'],
    ['a back-reference', [{ name: 'a', pattern: '(a)\\1' }], 'detectionPatterns.0.pattern'],
    [
      'a pattern with a huge size',
      [{ name: 'a', pattern: '((a{1,100}){1,100}){1,100}' }],
      'detectionPatterns.0.pattern',
    ],
    ['a pattern that matches everything', [{ name: 'a', pattern: 'a*' }], 'detectionPatterns.0.pattern'],
    ['a pattern of 201 characters', [{ name: 'a', pattern: 'a'.repeat(201) }], 'detectionPatterns.0.pattern'],
    ['no pattern', [{ name: 'a' }], 'detectionPatterns.0.pattern'],
    ['an unknown id', [{ id: 'unknown', name: 'a', pattern: 'a' }], 'detectionPatterns.0.id'],
    ['a change of a built-in pattern', [{ id: 'name', pattern: 'a' }], 'detectionPatterns.0.pattern'],
    [
      '51 own patterns',
      Array.from({ length: 51 }, (_, nth) => ({ name: 'a', pattern: `a${nth}` })),
      'detectionPatterns',
    ],
  ])('refuse %s (400) and name the field', async (_what, detectionPatterns, path) => {
    const { status, body } = await me.patch('/api/memory/settings', { detectionPatterns, enabled: false })
    expect([status, (body as { details: { path: string }[] }).details.map((each) => each.path)]).toEqual([400, [path]])
    expect((await me.get('/api/memory/settings')).body).toMatchObject({ enabled: true })
  })

  it.each([{ confidenceThreshold: 'sure' }, { unknown: true }, { categoryPreferences: { secret: true } }])(
    'refuse %j (400)',
    async (patch) => {
      expect((await me.patch('/api/memory/settings', patch)).status).toBe(400)
    },
  )
})

describe('semantic memory', () => {
  const small = { name: 'Small', description: '', modelType: 'text' as const, locked: false, contextLength: 8_000 }
  const flags = { supportsThinking: false, supportsTools: false }
  const images = { supportsImageAttachments: false, supportsFileAttachments: false }
  const model = (id: string, creditsPerMessage: number) => ({ id, ...small, creditsPerMessage, ...flags, ...images })
  const provider = (notice: string | null, ...models: ReturnType<typeof model>[]) => {
    return { id: 'openai' as const, name: 'OpenAI', notice, groups: [{ name: 'All', models }] }
  }
  const answering = (...memories: object[]) => given.others.answers.push(JSON.stringify({ memories }))

  it('calls the cheapest model of a provider once per answer, with sentences free of secrets only', async () => {
    const { others } = given
    others.models.hierarchy = { providers: [provider(null, model('large', 10), model('small', 1))] }
    await settings({ semanticMemory: true })
    answering({ text: 'Sails on weekends', category: 'temporal', confidence: 'medium' })
    await given.said(userId, 'Weekends find me on my boat. My password is tulip. What is the time?')
    await waitUntil(async () => (await suggested()).length > 0, 'the suggestion')
    expect(await suggestions()).toMatchObject([
      { text: 'Sails on weekends', category: 'temporal', confidence: 'medium' },
    ])
    expect(others.prompts).toHaveLength(1)
    expect(JSON.parse(others.prompts[0] ?? '')).toMatchObject({ model: 'small', allowLocked: false })
    expect(others.prompts[0]).toContain('Weekends find me on my boat.')
    expect(others.prompts[0]).not.toMatch(/tulip|What is the time/)
    expect(await given.metrics.metrics()).toMatch(/memory_semantic_tokens_total\{[^}]*direction="output"[^}]*\} 3/)
  })

  it('suggests nothing from a malformed answer, a secret, or below the threshold', async () => {
    await settings({ semanticMemory: true })
    given.others.answers.push('Sure! Here are the memories: none', '{"memories":[{"text":"No category"}]}')
    await said('Weekends find me on a boat.')
    await said('Weekends find me on a ship.')
    answering(
      { text: 'Uses the key sk-abcdefgh12345678', category: 'technical', confidence: 'high' },
      { text: 'Perhaps sails', category: 'personal', confidence: 'low' },
    )
    await said('Weekends find me on a raft.')
    answering({ text: 'Sails \0 often', category: 'personal', confidence: 'high' })
    await said('Weekends find me on a barge.')
    expect(await suggested()).toEqual([])
    expect((await given.stores.memories.account(userId))?.doc.pending).toEqual({})
  })

  it('is off without a provider; the demo does not count as one', async () => {
    const asked = given.others.prompts.length
    given.others.models.hierarchy = { providers: [provider('A demonstration', model('small', 1))] }
    await settings({ semanticMemory: true })
    await said('Weekends find me on my boat.')
    expect(given.others.prompts).toHaveLength(asked)
  })
})

describe('consolidation', () => {
  it('suggests merging similar memories, and the merge replaces them once approved', async () => {
    await settings({ autoConsolidation: true })
    for (const text of ['My dog Biscuit likes long walks', 'My dog Biscuit likes very long walks', 'I speak French']) {
      expect((await me.post('/api/memory', { text })).status).toBe(201)
    }
    const [merge, ...more] = await suggestions()
    expect([merge?.merges?.length, more.length, merge?.reason]).toEqual([2, 0, 'Merges 2 similar memories.'])
    expect(await stored()).toHaveLength(3)
    const approved = await me.post(`/api/memory/suggestions/${merge?.id}/approve`, {})
    expect(approved.status).toBe(200)
    expect((await stored()).sort()).toEqual(['I speak French', merge?.text].sort())
  })

  it('suggests nothing while it is off', async () => {
    for (const text of ['My dog likes long walks', 'My dog likes very long walks']) {
      await me.post('/api/memory', { text })
    }
    expect(await suggested()).toEqual([])
  })
})

describe('the learning profile', () => {
  it('starts as a beginner with a first recommendation', async () => {
    expect(await profile()).toEqual({
      accuracy: 0,
      learningLevel: 'beginner',
      suggestions: { seen: 0, approved: 0, rejected: 0 },
      approvalRate: 0,
      topKeywords: [],
      recentActivity: [],
      recommendations: [{ id: 'first-memory', text: expect.any(String) }],
    })
  })

  it('reflects decisions about suggestions', async () => {
    await said(Array.from({ length: 10 }, (_, nth) => `I live in Bristol ${nth}.`).join(' '))
    expect((await me.post('/api/memory/suggestions/dismiss-all')).body).toEqual({ dismissed: 10 })
    await me.post('/api/memory', { text: 'Bristol has a harbour' })
    await me.post('/api/memory', { text: 'My harbour flat is in Bristol' })
    const { recentActivity, topKeywords, recommendations, ...rest } = await profile()
    expect(rest).toEqual({
      accuracy: 0,
      learningLevel: 'intermediate',
      suggestions: { seen: 10, approved: 0, rejected: 10 },
      approvalRate: 0,
    })
    expect(topKeywords.slice(0, 2)).toEqual([
      { word: 'bristol', count: 2 },
      { word: 'harbour', count: 2 },
    ])
    expect(recentActivity.slice(0, 3)).toMatchObject([
      { action: 'remembered', text: 'My harbour flat is in Bristol' },
      { action: 'remembered' },
      { action: 'dismissed', text: '10' },
    ])
    expect(recommendations.map(({ id }) => id)).toEqual(['raise-threshold', 'turn-off-location'])
  })
})

it('erasing a user leaves nothing, and no suggestion is made afterwards', async () => {
  await me.post('/api/memory', { text: `Left by ${userId}` })
  await said('I live in Bristol.')
  const erasureId = newId()
  await given.bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId })])
  await expect.poll(() => given.others.erased).toContain(erasureId)
  await said('I live in Bath.')
  expect(await suggested()).toEqual([])
  const failed = await given.bus.deadLetters('memory.answers')
  expect(failed.filter(({ event }) => JSON.stringify(event).includes(userId))).toEqual([])
  expect((await me.post('/api/memory', { text: 'Late' })).status).toBe(404)
  expect(await stored()).toEqual([])
  expect(await given.stores.memories.account(userId)).toBeUndefined()
})

it("a data export has the user's memories with history, deleted ones, suggestions and settings, and nothing of other users", async () => {
  const { body } = await me.post('/api/memory', { text: 'I live in Bristol' })
  await me.patch(`/api/memory/${(body as { memory: Memory }).memory.id}`, { text: 'I live in Bath' })
  const { body: other } = await me.post('/api/memory', { text: 'I live in Cardiff' })
  await me.delete(`/api/memory/${(other as { memory: Memory }).memory.id}`)
  await said('I speak French.')
  const exportId = newId()
  await given.bus.publish([testEvent('auth.data-export-requested', userId, { userId, exportId })])
  const files = await waitUntil(() => given.others.exports.filesOf(exportId), 'the export')
  const json = (name: string) => JSON.parse(String(files.get(`memory/${name}.json`)))
  expect(json('memories')).toMatchObject([{ text: 'I live in Bath', history: [{ text: 'I live in Bristol' }] }])
  expect(json('deleted')).toMatchObject([
    { text: 'I live in Cardiff', status: 'deleted', deletedAt: expect.stringMatching(/^\d{4}-/) },
  ])
  expect(json('suggestions')).toMatchObject([{ text: 'I speak French.', status: 'pending' }])
  expect(json('settings')).toMatchObject({ settings: { enabled: true }, suggestions: { seen: 1 } })
})
