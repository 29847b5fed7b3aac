import { expect, it } from 'vitest'
import type { ProviderEvent } from './adapter.ts'
import { readCompletion } from './openai-chunks.ts'

const chunk = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** Reads a body that arrives in these pieces; resolves to the batches yielded, to how many of them were empty, and the final error. */
async function read(...pieces: (string | Uint8Array)[]) {
  async function* body() {
    for (const piece of pieces) yield typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
  }
  const batches: string[][] = []
  let error: unknown
  try {
    for await (const events of readCompletion(body())) batches.push(events.map(textOf))
  } catch (thrown) {
    error = thrown
  }
  const isSilent = ({ length }: string[]) => length === 0
  return { batches: batches.filter((batch) => !isSilent(batch)), silent: batches.filter(isSilent).length, error }
}
const textOf = (event: ProviderEvent): string => ('text' in event ? event.text : event.type)

it('the stream reader yields events that arrived together as one batch', async () => {
  const { batches, error } = await read(chunk('a') + chunk('b'), chunk('c'), 'data: [DONE]\n\n')
  expect(batches).toEqual([['a', 'b'], ['c']])
  expect(error).toBeUndefined()
})

it('the stream reader reassembles events and characters split across pieces', async () => {
  const bytes = new TextEncoder().encode(chunk('ü😀'))
  const parts = [...bytes].map((_byte, index) => bytes.subarray(index, index + 1))
  expect((await read(...parts)).batches).toEqual([['ü😀']])
})

it('the stream reader yields an empty batch for a piece without events, which shows that the provider is still at work', async () => {
  const { batches, silent } = await read(
    chunk('a'),
    ': PROCESSING\n\n',
    ': PROCESSING\n\n',
    chunk('b'),
    'data: [DONE]\n\n',
  )
  expect([batches, silent]).toEqual([[['a'], ['b']], 2])
})

it('the stream reader yields the events before a fault, then fails', async () => {
  for (const fault of ['data: {"choices":[{"del\n\n', 'data: {"error":{"message":"overloaded"}}\n\n']) {
    const { batches, error } = await read(chunk('a') + fault + chunk('late'))
    expect(batches).toEqual([['a']])
    expect(error).toBeInstanceOf(Error)
  }
})

it('the stream reader reads a last event without terminator, and nothing after [DONE]', async () => {
  expect((await read(chunk('a'), chunk('b').trimEnd())).batches).toEqual([['a'], ['b']])
  expect((await read(`${chunk('a')}data: [DONE]\n\n`, chunk('late'))).batches).toEqual([['a']])
})

it('the stream reader fails at a line that does not end, and keeps no more of it than any event has', async () => {
  let read = 0
  async function* body() {
    const piece = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}`)
    for (; read < 64; read += 1) yield piece
  }
  await expect(Array.fromAsync(readCompletion(body()))).rejects.toThrow()
  expect(read).toBeLessThan(16)
})
