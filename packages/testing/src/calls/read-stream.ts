import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { OpenAnswer } from './api.ts'

export interface StreamEvent {
  readonly id: string | undefined
  readonly data: string
}

/** The events of a streamed answer as they arrive; leaving the loop disconnects. */
export async function* readEvents(answer: Pick<OpenAnswer, 'body'>): AsyncGenerator<StreamEvent> {
  const ready: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => void ready.push(event) })
  for await (const text of decoded(answer)) {
    parser.feed(text)
    for (const event of ready.splice(0)) yield { id: event.id, data: event.data }
  }
}

/** The lines of a streamed answer as they arrive, parsed as JSON; empty ones are skipped. */
export async function* readLines<T = unknown>(answer: Pick<OpenAnswer, 'body'>): AsyncGenerator<T> {
  let rest = ''
  for await (const text of decoded(answer)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
  if (rest !== '') yield JSON.parse(rest)
}

/** Collects an async iterable into an array. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* decoded(answer: Pick<OpenAnswer, 'body'>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of answer.body) yield decoder.decode(bytes as Buffer, { stream: true })
}
