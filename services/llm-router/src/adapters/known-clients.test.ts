import { expect, it } from 'vitest'
import type { Target } from './adapter.ts'
import { knownClients } from './known-clients.ts'
import { openaiAdapter } from './openai-adapter.ts'

const fetchOf = (): Target['fetch'] => async () => new Response()

it('a client is made once for each address, key and fetch, and the least recently used ones are forgotten', () => {
  const made: unknown[] = []
  const clientOf = knownClients((_sdk: object, target) => {
    made.push(target)
    return { ...target }
  })
  const fetch = fetchOf()
  const of = (baseUrl: string, apiKey: string | undefined, by = fetch) => clientOf({}, { baseUrl, apiKey, fetch: by })
  const first = of('http://one', 'key')
  expect(of('http://one', 'key')).toBe(first)
  const others = [of('http://one', 'other'), of('http://one', undefined), of('http://two', 'key')]
  expect(new Set([first, ...others, of('http://one', 'key', fetchOf())]).size).toBe(5)
  expect(first).toEqual({ baseUrl: 'http://one', apiKey: 'key', fetch })
  for (let nth = 0; nth < 98; nth += 1) {
    of(`http://many/${nth}`, 'key')
    of('http://one', 'key')
  }
  expect(of('http://one', 'key')).toBe(first)
  const before = made.length
  of('http://one', 'other')
  expect(made.length).toBe(before + 1)
})

it("models at one address share a client, and none gets another one's headers or key", async () => {
  const sent: (readonly [name: string, value: string | null])[][] = []
  const fetch = async (_url: string, { headers }: { headers: Headers }) => {
    sent.push(['authorization', 'x-team', 'x-place'].map((name) => [name, headers.get(name)]))
    return new Response('', { headers: { 'content-type': 'text/event-stream' } })
  }
  const ask = (apiKey: string | undefined, headers: Target['headers']) => {
    const target = {
      baseUrl: 'http://one.test',
      apiModelName: 'm',
      maxTokens: 9,
      temperature: 1,
      apiKey,
      headers,
      fetch,
    }
    return openaiAdapter(target as unknown as Target, { messages: [], tools: [] })(new AbortController().signal)
  }
  await ask('first', { 'x-team': 'blue' })
  await ask('first', { 'x-place': 'here' })
  await ask('second', {})
  await ask(undefined, {})
  expect(sent.map((headers) => headers.map(([, value]) => value))).toEqual([
    ['Bearer first', 'blue', null],
    ['Bearer first', null, 'here'],
    ['Bearer second', null, null],
    [null, null, null],
  ])
})
