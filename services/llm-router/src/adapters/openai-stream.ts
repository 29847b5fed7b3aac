import { createParser } from 'eventsource-parser'
import type { ProviderEvent } from './adapter.ts'
import { createChunkReader } from './openai-chunks.ts'

/** UTF-16 units of one event; no answer has a longer one. */
const longestEvent = 8 * 1024 * 1024

/**
 * The events of a streamed chat completion, batched by pieces of the body: a piece without events, such as a comment, is an empty batch. Ends after
 * `[DONE]`.
 * @throws Error for an invalid or oversized chunk or one that reports an error, after yielding the preceding events
 */
export async function* readStream(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<readonly ProviderEvent[]> {
  let waiting: string[] = []
  const readChunk = createChunkReader()
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data), maxBufferSize: longestEvent })
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    const { events, isDone, failure } = readEvents(waiting, readChunk)
    waiting = []
    if (events.length > 0 || !isDone) yield events
    if (failure !== undefined) throw failure
    if (isDone) return
  }
  // Some servers omit the empty line after the last event.
  parser.feed(`${decoder.decode()}\n\n`)
  const { events, failure } = readEvents(waiting, readChunk)
  if (events.length > 0) yield events
  if (failure !== undefined) throw failure
}

function readEvents(
  lines: readonly string[],
  readChunk: ReturnType<typeof createChunkReader>,
): { events: ProviderEvent[]; isDone: boolean; failure?: Error } {
  const events: ProviderEvent[] = []
  try {
    for (const line of lines) {
      if (line === '[DONE]') return { events, isDone: true }
      events.push(...readChunk(JSON.parse(line)))
    }
    return { events, isDone: false }
  } catch (error) {
    return { events, isDone: false, failure: new Error('Not a chunk of an answer', { cause: error }) }
  }
}
