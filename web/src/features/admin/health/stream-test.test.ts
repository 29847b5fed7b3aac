import { expect, it } from 'vitest'
import { isBuffered, readStreamTest } from './stream-test.ts'

/** A stream of chunks, before each of which the clock advances. */
function streamOf(pieces: readonly (readonly [at: number, text: string])[]) {
  const clock = { ms: 0 }
  const left = [...pieces]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const [at, text] = left.shift() ?? [undefined, '']
        if (at === undefined) return controller.close()
        clock.ms = at
        controller.enqueue(new TextEncoder().encode(text))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, now: () => clock.ms }
}

it('a stream whose events arrive as they were sent is not reported as buffered, wherever its chunks are split', async () => {
  const { body, now } = streamOf([
    [100, 'id: 1\ndata: 0\n\nid: 2\nda'],
    [350, 'ta: 250\n\n'],
    [1_100, 'id: 3\ndata: 1000\n\n'],
  ])
  const found = await readStreamTest(body, now)
  expect(found.sentMs).toBe(1_000)
  expect(isBuffered(found)).toBe(false)
})

it('a stream whose events arrive together is reported as buffered', async () => {
  const { body, now } = streamOf([[1_100, 'data: 0\n\ndata: 500\n\ndata: 1000\n\n']])
  const found = await readStreamTest(body, now)
  expect(found).toEqual({ arrivedMs: 0, sentMs: 1_000 })
  expect(isBuffered(found)).toBe(true)
})

it('a stream that ends before its second event is reported as failed', async () => {
  const { body, now } = streamOf([[1, 'data: 0\n\n']])
  await expect(readStreamTest(body, now)).rejects.toThrow('ended early')
})
