import type { ResponseItem, ResponsesBody } from '@parley/contracts'
import { createLogger } from '@parley/kit'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ResponseStore, StoredResponse } from '../store/response-store.ts'
import { createStoredResponses, withoutReferences } from './stored-responses.ts'

const reference = (id: string): ResponseItem => ({ type: 'item_reference', id })
const question = (content: string): ResponseItem => ({ role: 'user', content })
const message: ResponseItem = { type: 'message', id: 'msg_1', role: 'assistant', content: 'Hi' }
const call: ResponseItem = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' }

describe('references to stored items', () => {
  const { id: _, ...words } = message

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
  let add = async (stored: StoredResponse): Promise<void> => void added.push(stored)
  const store = { add: (_userId: string, stored: StoredResponse) => add(stored) } as unknown as ResponseStore
  const { keeper } = createStoredResponses({ store, retentionDays: 30, log })
  const body: ResponsesBody = { model: 'gpt', input: 'Hello', previous_response_id: 'resp_0', metadata: { a: 'b' } }
  const answered = { id: 'resp_1', status: 'completed', output: [message], future: true, store: false }
  beforeEach(() => {
    added.length = lines.length = 0
  })

  it('that OpenAI streamed is stored from its last event, with what its own request said', async () => {
    const last = `event: response.completed\r\ndata: ${JSON.stringify({ type: 'response.completed', response: answered })}\r\n\r\n`
    await keeper('user', { ...body, stream: true })?.(Buffer.from(last))
    const response = { ...answered, store: true, previous_response_id: 'resp_0', metadata: { a: 'b' } }
    expect(added).toEqual([{ previousId: 'resp_0', input: [question('Hello')], response }])
  })

  it.each([
    ['the store is unavailable', JSON.stringify(answered)],
    ['its end is none', 'data: [DONE]\n\n'],
  ])('is not lost for its caller when %s', async (_what, last) => {
    add = () => Promise.reject(new Error('away'))
    await expect(keeper('user', body)?.(Buffer.from(last))).resolves.toBeUndefined()
    expect(lines.join('')).toContain('a response could not be stored')
  })
})
