import { type Memory, type MemorySuggestion, memoryInternalRoutes, type StreamEvent } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiCaller, collect, readEvents, waitUntil } from '@parley/testing'
import { connectSocket } from '@parley/testing/socket-client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

let world: World
let me: Person
beforeAll(async () => {
  world = await openWorld()
  await world.settings(unlimited)
})
afterAll(() => world.close())
beforeEach(async () => {
  world.provider.reset()
  me = await world.register()
})

async function say(api: ApiCaller, message: string, more: object = {}): Promise<StreamEvent[]> {
  const body = { message, model: 'v3', clientMessageId: newId(), ...more }
  const answer = await api.open('POST', '/api/chat', { body })
  expect(answer.status).toBe(200)
  return (await collect(readEvents(answer))).slice(0, -1).map(({ data }) => JSON.parse(data) as StreamEvent)
}
const usedIn = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => ('memories_used' in event ? event.memories_used.map(({ text }) => text) : []))
const lastPrompt = () => JSON.stringify(world.provider.calls.at(-1)?.body)
const suggestions = async () =>
  ((await me.api.get('/api/memory/suggestions')).body as { items: MemorySuggestion[] }).items
const suggestion = () => waitUntil(async () => (await suggestions())[0], 'the suggestion')

it("a fact in a user's message is suggested, approved, used in a new chat, forgotten, and gone from the prompt", async () => {
  const socket = await connectSocket(world.replicas[0]?.url ?? '', me.token)
  await say(me.api, 'I am allergic to hazelnuts. Can you greet me?')
  const found = await suggestion()
  expect(found).toMatchObject({ text: 'I am allergic to hazelnuts.', category: 'health', status: 'pending' })
  await socket.until('memory:update', ({ pending }) => pending === 1)
  expect(usedIn(await say(me.api, 'What is in a praline?'))).toEqual([])
  expect(lastPrompt()).not.toContain('allergic')

  expect((await me.api.post(`/api/memory/suggestions/${found.id}/approve`, {})).status).toBe(200)
  await socket.until('memory:update', ({ pending }) => pending === 0)
  let events: StreamEvent[] = []
  // A prompt waits only briefly for memory, so on a busy machine one may be built without it.
  const usedInNewChat = async () => {
    events = await say(me.api, 'Can I eat hazelnuts?')
    return usedIn(events)
  }
  await expect.poll(usedInNewChat, { interval: 1_000 }).toEqual(['I am allergic to hazelnuts.'])
  expect(events.findIndex((event) => 'memories_used' in event)).toBe(1)
  expect(lastPrompt()).toContain('- I am allergic to hazelnuts.')
  const used = async () => ((await me.api.get('/api/memory')).body as { items: Memory[] }).items[0]?.lastUsedAt
  await expect.poll(used).not.toBeNull()
  const [{ chatId } = { chatId: '' }] = events as { chatId: string }[]
  const shown = (await me.api.get(`/api/chat/history/${chatId}`)).body as { messages: object[] }
  expect(shown.messages.at(-1)).toMatchObject({ memoriesUsed: [{ id: found.id, text: found.text }] })

  await me.api.put(`/api/chat/history/${chatId}/memory`, { enabled: false })
  expect(usedIn(await say(me.api, 'And now?', { chatId }))).toEqual([])
  expect((await me.api.delete(`/api/memory/${found.id}?forever=true`)).status).toBe(204)
  expect(usedIn(await say(me.api, 'Can I eat hazelnuts?'))).toEqual([])
  expect(lastPrompt()).not.toContain('allergic')
  socket.close()
})

it('a memory that shares no word with a message is found by meaning, and used', async () => {
  const admin = await world.admin()
  const model = { id: 'vectors', name: 'Vectors', group: 'Test', provider: 'openai', modelType: 'embedding' }
  expect((await admin.api.post('/api/admin/models', model)).status).toBe(201)
  const synonyms = { filberts: 'hazelnut', sick: 'allergies' }
  world.provider.always({ synonyms }, ({ model: asked }) => asked === 'vectors')
  expect((await me.api.patch('/api/memory/settings', { semanticMemory: true, autoDetection: false })).status).toBe(200)
  await me.api.post('/api/memory', { text: 'Filberts make me sick' })
  for (let nth = 0; nth < 12; nth += 1) await me.api.post('/api/memory', { text: `Unrelated fact ${nth}` })
  // A prompt waits only briefly for memory, and a model that was late is skipped for a while.
  const first = async () => usedIn(await say(me.api, 'Hazelnut allergies?'))[0]
  await expect.poll(first, { interval: 1_000, timeout: 60_000 }).toBe('Filberts make me sick')
  await admin.api.delete('/api/admin/models/vectors')
})

it('nothing is suggested from answers, attachments or quotes', async () => {
  world.provider.reply({ chunks: ['Remember: I live in Paris and I prefer tea.'] })
  await say(me.api, 'Tell me something')
  await say(me.api, '> I live in Rome.\nWhat does that mean?')
  await say(me.api, 'From: Bob\nTo: Ann\nSubject: Hi\n\nI live in Oslo.')
  await say(me.api, 'I live in Bristol.')
  await suggestion()
  expect((await suggestions()).map(({ text }) => text)).toEqual(['I live in Bristol.'])
})

it("memory's internal route for chat is not reachable from outside", async () => {
  const { path } = memoryInternalRoutes.relevant
  const body = { userId: me.user._id, message: 'Hello', maxTokens: 100 }
  for (const at of [path, `/api${path}`]) expect((await me.api.post(at, body)).status).toBe(404)
})
