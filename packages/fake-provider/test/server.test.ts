import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ProviderScript, type ScriptedProvider, startScriptedProvider } from '../src/index.ts'

let provider: ScriptedProvider
let script: ProviderScript
beforeEach(async () => {
  provider = await startScriptedProvider({ answer: () => script })
})
afterEach(() => provider.close())

const post = (path: string, body: string): Promise<Response> => fetch(provider.url + path, { method: 'POST', body })
const ask = async (path: string, stream: boolean): Promise<string> =>
  (await post(path, JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hi' }] }))).text()

/** Chunks generated one by one. */
async function* counting(): AsyncGenerator<string> {
  for (const text of ['one ', 'two']) yield text
}

test.each(['/v1/chat/completions', '/messages'])(
  '%s answers with generated chunks, streamed and complete',
  async (path) => {
    for (const stream of [true, false]) {
      script = { chunks: counting() }
      const answer = await ask(path, stream)
      expect(answer).toMatch(stream ? /one .*two/s : /one two/)
      expect(answer).toContain('"model":"m"')
    }
  },
)

test('embeddings are deterministic unit vectors, similar for shared words or synonyms, as floats or base64', async () => {
  script = {}
  const embed = async (parts: object): Promise<{ embedding: never }[]> => {
    const answer = await post('/v1/embeddings', JSON.stringify({ model: 'm', dimensions: 64, ...parts }))
    return ((await answer.json()) as { data: { embedding: never }[] }).data
  }
  const texts = ['The cat sat on the mat', 'The cat sat on a chair', 'Stock prices fell sharply']
  const vectors: number[][] = (await embed({ input: texts })).map(({ embedding }) => embedding)
  const [cat, chair, stock] = vectors as [number[], number[], number[]]
  const product = (a: number[], b: number[]): number => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  expect(vectors.map(({ length }) => length)).toEqual([64, 64, 64])
  for (const vector of vectors) expect(product(vector, vector)).toBeCloseTo(1, 5)
  expect(product(cat, chair)).toBeGreaterThan(product(cat, stock) + 0.2)
  const [bytes] = await embed({ input: texts[0], encoding_format: 'base64' })
  const floats = new Float32Array(new Uint8Array(Buffer.from(bytes?.embedding ?? '', 'base64')).buffer)
  expect([...floats]).toEqual(cat)
  script = { synonyms: { feline: 'cat' } }
  expect(await embed({ input: 'The feline sat on the mat' })).toMatchObject([{ embedding: cat }])
  expect(await embed({ input: [[1, 2], [3]] })).toHaveLength(2)
  expect(await embed({ input: [1, 2] })).toHaveLength(1)
})

test('a request that is not a JSON object is still answered by the script', async () => {
  script = { status: 400, body: 'refused' }
  for (const body of ['null', '[', '"text"', '{"messages":1,"tools":{}}']) {
    const answer = await post('/v1/chat/completions', body)
    expect([answer.status, await answer.text()]).toEqual([400, 'refused'])
  }
})

test('a request with objects in place of texts is still answered by the script', async () => {
  script = { status: 400, body: 'refused' }
  const noText = { toString: 1 }
  const parts = ['text', 'tool_use', 'tool_result'].map((type) => ({
    ...{ type, text: noText, id: noText, name: noText, tool_use_id: noText, content: [{ text: noText }] },
    ...{ image_url: { url: noText, detail: noText } },
  }))
  const files = [
    { file: { file_data: noText, filename: noText } },
    { source: { media_type: noText, data: noText }, title: noText },
  ]
  const call = { id: noText, function: { name: noText, arguments: noText } }
  const message = { role: noText, content: [...parts, ...files], tool_calls: [call], tool_call_id: noText }
  const body = { messages: [message, { ...message, role: 'tool' }], tools: [{ name: noText }] }
  const answer = await post('/v1/chat/completions', JSON.stringify(body))
  expect([answer.status, await answer.text()]).toEqual([400, 'refused'])
})

test('a call whose script fails gets a 500, or a broken stream once that has begun, and the server goes on', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield 'one'
    throw new Error('no more')
  }
  script = { chunks: failing() }
  await expect(ask('/v1/chat/completions', true)).rejects.toThrow()
  script = { chunks: failing() }
  const whole = await post('/v1/chat/completions', '{}')
  expect([whole.status, await whole.text()]).toEqual([500, 'Error: no more'])
  script = { text: 'still here' }
  expect(await ask('/v1/chat/completions', false)).toContain('still here')
})

test('a client that disconnects during its request does not affect the server', async () => {
  const socket = connect(Number(new URL(provider.url).port), '127.0.0.1')
  socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: fake\r\ncontent-length: 100\r\n\r\n{"model"')
  await once(socket, 'connect')
  socket.resetAndDestroy()
  script = { text: 'still here' }
  expect(await ask('/v1/chat/completions', false)).toContain('still here')
})

test('unknown paths give 404, and /healthz succeeds', async () => {
  expect((await post('/v1/unknown', '{}')).status).toBe(404)
  expect((await fetch(`${provider.url}/v1/chat/completions`)).status).toBe(404)
  expect(await (await fetch(`${provider.url}/healthz`)).json()).toEqual({ status: 'ok' })
})
