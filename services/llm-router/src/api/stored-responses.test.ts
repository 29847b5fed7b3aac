import { setImmediate } from 'node:timers/promises'
import type { ResponseItem, ResponsesBody } from '@parley/contracts'
import { createLogger } from '@parley/kit'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ResponseStore, StoredResponse } from '../store/response-store.ts'
import { createStoredResponses, withoutReferences } from './stored-responses.ts'

const reference = (id: string): ResponseItem => ({ type: 'item_reference', id })
const question = (content: string): ResponseItem => ({ role: 'user', content })
const message: ResponseItem = { type: 'message', id: 'msg_1', role: 'assistant', content: 'Hi' }
const call: ResponseItem = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' }

const { id: _, ...words } = message

describe('references to stored items', () => {
  it('are replaced where they stand, without the id, which its provider would look for', () => {
    const items = [question('One'), reference('msg_1'), question('Two'), reference('msg_1')]
    const stored = new Map([['msg_1', message]])
    expect(withoutReferences(items, stored)).toEqual([question('One'), words, question('Two'), words])
  })

  it('are left out before what the assistant did next, if they are not stored', () => {
    expect(withoutReferences([question('One'), reference('a'), reference('b'), call], new Map())).toEqual([
      question('One'),
      call,
    ])
    expect(withoutReferences([reference('a'), reference('msg_1')], new Map([['msg_1', message]]))).toEqual([words])
  })

  it.each([
    ['at the end', [question('One'), reference('a')]],
    ['before a question', [reference('a'), question('Two')]],
    ['before a result', [reference('a'), { type: 'function_call_output', call_id: 'call_1', output: 'rain' }]],
  ])('are refused %s, if they are not stored', (_where, items) => {
    expect(() => withoutReferences(items, new Map())).toThrow('Item “a” isn’t stored')
  })
})

describe('a response', () => {
  const added: StoredResponse[] = []
  const lines: string[] = []
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) })
  let add: (stored: StoredResponse) => Promise<void>
  const store = {
    add: (_userId: string, stored: StoredResponse) => add(stored),
    find: async () => added.at(-1),
    conversation: async () => added,
    items: async () => new Map(),
    sweep: vi.fn(async () => undefined),
  } as unknown as ResponseStore
  const { complete, recorder, items, start, stop } = createStoredResponses({ store, retentionDays: 30, log })
  const body: ResponsesBody = { model: 'gpt', input: 'Hello', previous_response_id: 'resp_0', metadata: { a: 'b' } }
  const answered = { id: 'resp_1', status: 'completed', output: [message], future: true, store: false }
  beforeEach(() => {
    added.length = lines.length = 0
    add = async (stored) => {
      await setImmediate()
      added.push(stored)
    }
  })

  it('that OpenAI streamed is stored from its last event, with what its own request said', async () => {
    const last = `event: response.completed\r\ndata: ${JSON.stringify({ type: 'response.completed', response: answered })}\r\n\r\n`
    await recorder('user', { ...body, stream: true })?.(Buffer.from(last))
    const response = { ...answered, store: true, previous_response_id: 'resp_0', metadata: { a: 'b' } }
    expect(added).toEqual([{ previousId: 'resp_0', input: [question('Hello')], response }])
  })

  it.each([
    ['the store is unavailable', JSON.stringify(answered)],
    ['its end is none', 'data: [DONE]\n\n'],
  ])('is not lost for its caller when %s', async (_what, last) => {
    add = () => Promise.reject(new Error('away'))
    await expect(recorder('user', body)?.(Buffer.from(last))).resolves.toBeUndefined()
    expect(lines.join('')).toContain('a response could not be stored')
  })

  it('whose store hangs ends after 2 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    add = () => new Promise(() => undefined)
    const kept = recorder('user', body)?.(Buffer.from(JSON.stringify(answered)))
    await vi.advanceTimersByTimeAsync(2_000)
    await expect(kept).resolves.toBeUndefined()
    expect(lines.join('')).toContain('a response could not be stored')
  })

  it('is continued by its items without their ids, which OpenAI would look for', async () => {
    added.push({ previousId: undefined, input: [question('One')], response: answered })
    expect((await complete('user', body)).input).toEqual([question('One'), words, question('Hello')])
  })

  it('that refers to a long item so often that the conversation would be too long is refused', async () => {
    const long = { ...message, content: 'x'.repeat(1024 * 1024) }
    const items = async () => new Map([['msg_1', long]])
    const { complete: completeLong } = createStoredResponses({ store: { ...store, items }, retentionDays: 30, log })
    const referring = (count: number) =>
      completeLong('user', { model: 'gpt', input: Array.from({ length: count }, () => reference('msg_1')) })
    expect((await referring(31)).input).toHaveLength(31)
    await expect(referring(33)).rejects.toMatchObject({ code: 'validation_failed', details: [{ path: 'input' }] })
  })

  it('is loaded with at most one other of its user and seven others in all at once, and the rest after them', async () => {
    const running = new Map<string, number>()
    let most = { ofUser: 0, inAll: 0 }
    const countUp = (userId: string, by: number) => running.set(userId, (running.get(userId) ?? 0) + by)
    const slow = {
      async conversation(userId: string) {
        countUp(userId, 1)
        const inAll = [...running.values()].reduce((sum, count) => sum + count)
        most = { ofUser: Math.max(most.ofUser, running.get(userId) ?? 0), inAll: Math.max(most.inAll, inAll) }
        await setImmediate()
        countUp(userId, -1)
        return []
      },
      items: async () => new Map(),
    } as unknown as ResponseStore
    const limited = createStoredResponses({ store: slow, retentionDays: 30, log })
    const users = Array.from({ length: 100 }, (_, nth) => `user-${Math.floor(nth / 10)}`)
    await Promise.all(users.map((userId) => limited.complete(userId, body)))
    expect(most).toEqual({ ofUser: 2, inAll: 8 })
  })

  it('lists the items of its request with their own types and ids', async () => {
    const sent = { ...call, id: 'fc_1' }
    added.push({ previousId: undefined, input: [sent, question('Hello')], response: answered })
    const { data } = await items('user', 'resp_1', { limit: 2, order: 'asc' })
    expect(data).toMatchObject([sent, { type: 'message', id: 'item_resp_1_1' }])
  })

  it('is deleted after the retention, by a sweep that ends with the service', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(store.sweep).toHaveBeenCalledExactlyOnceWith(30)
    await stop()
    await vi.advanceTimersByTimeAsync(7_200_000)
    expect(store.sweep).toHaveBeenCalledOnce()
  })
})
