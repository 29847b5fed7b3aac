import { createParser } from 'eventsource-parser'
import type { ProviderEvent } from './adapter.ts'

/** UTF-16 units of one event; no answer has a longer one. */
const longestEvent = 8 * 1024 * 1024

/** Converts the data of an answer's events, in order. Undefined ends the answer. @throws Error for an invalid event or one that reports an error */
export type ReadData = (data: string) => readonly ProviderEvent[] | undefined

/**
 * The events of a streamed answer, batched by pieces of the body: a piece without events, such as a comment or a ping, is an empty batch. Several times as
 * fast per token as the decoding of the providers' SDKs, which hide such pieces.
 * @throws Error for an oversized event or one that cannot be read, after yielding the preceding events
 */
export async function* readStream(
  body: AsyncIterable<Uint8Array> | null,
  readData: ReadData,
): AsyncGenerator<readonly ProviderEvent[]> {
  let waiting: string[] = []
  const parser = createParser({ onEvent: ({ data }) => waiting.push(data), maxBufferSize: longestEvent })
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    const { events, isDone, failure } = readEvents(waiting, readData)
    waiting = []
    if (events.length > 0 || !isDone) yield events
    if (failure !== undefined) throw failure
    if (isDone) return
  }
  // Some servers omit the empty line after the last event.
  parser.feed(`${decoder.decode()}\n\n`)
  const { events, failure } = readEvents(waiting, readData)
  if (events.length > 0) yield events
  if (failure !== undefined) throw failure
}

function readEvents(
  waiting: readonly string[],
  readData: ReadData,
): { events: ProviderEvent[]; isDone: boolean; failure?: Error } {
  const events: ProviderEvent[] = []
  try {
    for (const data of waiting) {
      const read = readData(data)
      if (read === undefined) return { events, isDone: true }
      events.push(...read)
    }
    return { events, isDone: false }
  } catch (error) {
    return { events, isDone: false, failure: new Error('Not an event of an answer', { cause: error }) }
  }
}
