import { afterEach, describe, expect, it, vi } from 'vitest'
import { backoffDelay } from '../../../shared/live/backoff.ts'
import type { AnswerStep } from './answer-event.ts'
import { type AnswerEnd, type AnswerReaderDeps, readAnswer, streamLimits } from './read-answer.ts'

const start = { chatId: 'c', messageId: 'm1', userMessageId: 'u', model: 'v3' }
const done = { done: true, messageId: 'm1', finishReason: 'stop', usage: {}, credits: {} }
const frame = (seq: number, event: unknown): string => `id: ${seq}\ndata: ${JSON.stringify(event)}\n\n`
const eventStream = (body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } })
const whole = (wire: string): Response => eventStream(new Blob([wire]).stream())
const network = () => Object.assign(new Error(''), { status: 0, code: 'network' })

type Reply = (signal: AbortSignal) => Response

/** Reads an answer over connections that respond with `replies` in turn; the last one is repeated. */
async function read(replies: readonly Reply[]): Promise<{ text: string; end: AnswerEnd; signals: AbortSignal[] }> {
  const signals: AbortSignal[] = []
  const connect = async (signal: AbortSignal): Promise<Response> => {
    const reply = replies[Math.min(signals.length, replies.length - 1)]
    signals.push(signal)
    if (reply === undefined) throw new Error('Nothing answers')
    return reply(signal)
  }
  const deps: AnswerReaderDeps = {
    transport: { send: (_body, signal) => connect(signal), resume: (_id, _after, signal) => connect(signal) },
    onWake: () => () => undefined,
    isOnline: () => true,
    random: () => 0,
    limits: { ...streamLimits, backoff: { minMs: 0, maxMs: 0 } },
  }
  const body = { message: 'Hi', model: 'v3', clientMessageId: 'one' }
  const reading = readAnswer(deps, { type: 'send', body }, new AbortController().signal)
  const steps: AnswerStep[] = []
  for (;;) {
    const next = await reading.next()
    if (next.done) return { text: textOf(steps), end: next.value, signals }
    steps.push(next.value)
  }
}

const textOf = (steps: readonly AnswerStep[]): string =>
  steps.map((step) => (step.type === 'event' && step.event.type === 'text' ? step.event.delta : '')).join('')

const fails = (): Response => {
  throw network()
}

describe('a connection', () => {
  it('gives the same text wherever its bytes are split', async () => {
    const bytes = new TextEncoder().encode(frame(1, start) + frame(2, { text: 'ü 😀 漢' }) + frame(3, done))
    const body = new ReadableStream<Uint8Array>({
      start: (control) => {
        for (const byte of bytes) control.enqueue(new Uint8Array([byte]))
        control.close()
      },
    })
    expect(await read([() => eventStream(body)])).toMatchObject({ text: 'ü 😀 漢', end: { type: 'done' } })
  })

  it('is closed when reading stops, at a gap and at the end', async () => {
    const open = (wire: string) =>
      eventStream(new ReadableStream({ start: (control) => control.enqueue(new TextEncoder().encode(wire)) }))
    const { signals, end } = await read([
      () => open(frame(1, start) + frame(3, { text: 'b' })),
      () => open(frame(2, { text: 'a' }) + frame(3, { text: 'b' }) + frame(4, done)),
    ])
    expect(end).toEqual({ type: 'done' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('without a response is tried three times in total', async () => {
    expect((await read([fails])).signals).toHaveLength(3)
  })

  it('that brings new events each time may break any number of times', async () => {
    const pieces = 30
    const replies = Array.from({ length: pieces }, (_, index) => {
      const seq = index + 2
      return () => whole(index === pieces - 1 ? frame(seq, done) : frame(seq, { text: '.' }))
    })
    const { text, end } = await read([() => whole(frame(1, start)), ...replies])
    expect([text, end]).toEqual(['.'.repeat(pieces - 1), { type: 'done' }])
  })

  it('that is refused temporarily is retried', async () => {
    for (const status of [429, 503]) {
      const busy = (): Response => {
        throw Object.assign(new Error('Slow down'), { status, code: 'rate_limited' })
      }
      const { end } = await read([() => whole(frame(1, start)), busy, () => whole(frame(2, done))])
      expect(end).toEqual({ type: 'done' })
    }
  })
})

describe('the timeout of a connection', () => {
  afterEach(() => void vi.useRealTimers())

  it('does not expire while heartbeats arrive', async () => {
    vi.useFakeTimers()
    const encoder = new TextEncoder()
    const alive: Reply = (signal) =>
      eventStream(
        new ReadableStream({
          start: (control) => {
            signal.addEventListener('abort', () => control.error(new DOMException('', 'AbortError')))
            control.enqueue(encoder.encode(frame(1, start)))
            for (const second of [40, 80, 120])
              setTimeout(() => control.enqueue(encoder.encode(': ping\n\n')), second * 1000)
            setTimeout(() => control.enqueue(encoder.encode(frame(2, done))), 160_000)
          },
        }),
      )
    const reading = read([alive, fails])
    await vi.advanceTimersByTimeAsync(161_000)
    const { end, signals } = await reading
    expect(end).toEqual({ type: 'done' })
    expect(signals).toHaveLength(1)
  })

  it('grows between retries up to its limit', () => {
    const limits = { minMs: 500, maxMs: 5_000 }
    expect([0, 1, 2, 3, 4, 20].map((attempt) => backoffDelay(limits, attempt, 1))).toEqual([
      500, 1_000, 2_000, 4_000, 5_000, 5_000,
    ])
    expect(backoffDelay(limits, 20, 0)).toBe(500)
  })
})
