import { describe, expect, it } from 'vitest'
import type { OnWake } from '../../../shared/live/wake.ts'
import type { AnswerStep } from './answer-event.ts'
import { type AnswerEnd, type AnswerRequest, type AnswerTransport, readAnswer, streamLimits } from './read-answer.ts'

const start = { chatId: 'c', messageId: 'm1', userMessageId: 'u', model: 'v3' }
const done = { done: true, messageId: 'm1', finishReason: 'stop', usage: {}, credits: {} }
const text = (delta: string) => ({ text: delta })

/** A stream of events numbered from `first`. Then it ends, or fails if `cut`. */
function stream(events: readonly unknown[], { first = 1, cut = false } = {}): Response {
  const wire = events
    .map(
      (event, index) => `id: ${first + index}\ndata: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
    )
    .join('')
  let sent = false
  const body = new ReadableStream<Uint8Array>({
    pull: (control) => {
      if (!sent) control.enqueue(new TextEncoder().encode(wire))
      else if (cut) control.error(new TypeError('network'))
      else control.close()
      sent = true
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}

const refusal = (status: number, code: string) => Object.assign(new Error('Refused'), { status, code })
const network = () => refusal(0, 'network')

type Answer = Response | Error | ((signal: AbortSignal) => Promise<Response>)

/** Responds to each call with the next item of a list, and records the calls. */
function script(answers: readonly Answer[]) {
  const calls: string[] = []
  const rest = [...answers]
  const answer = async (call: string, signal: AbortSignal): Promise<Response> => {
    calls.push(call)
    const next = rest.shift()
    if (!next) throw new Error(`Unexpected call: ${call}`)
    if (next instanceof Error) throw next
    return typeof next === 'function' ? next(signal) : next
  }
  const transport: AnswerTransport = {
    send: (body, signal) => answer(`send ${body.clientMessageId}`, signal),
    resume: (id, after, signal) => answer(`resume ${id} after ${after}`, signal),
  }
  return { transport, calls }
}

const limits = { ...streamLimits, backoff: { minMs: 0, maxMs: 0 }, lastLookMs: 50 }
const send: AnswerRequest = { type: 'send', body: { message: 'Hi', model: 'v3', clientMessageId: 'one' } }

async function read(
  transport: AnswerTransport,
  {
    request = send,
    overrides = {},
    signal = new AbortController().signal,
    isOnline = (): boolean => true,
    onWake = (() => () => undefined) as OnWake,
  } = {},
): Promise<{ text: string; steps: AnswerStep[]; end: AnswerEnd }> {
  const deps = { transport, onWake, isOnline, random: () => 0, limits: { ...limits, ...overrides } }
  const steps: AnswerStep[] = []
  const reading = readAnswer(deps, request, signal)
  for (;;) {
    const next = await reading.next()
    if (next.done) return { text: textOf(steps), steps, end: next.value }
    steps.push(next.value)
  }
}

function textOf(steps: readonly AnswerStep[]): string {
  let seen = ''
  for (const step of steps) {
    if (step.type === 'restart') seen = ''
    if (step.type === 'event' && step.event.type === 'text') seen += step.event.delta
  }
  return seen
}

describe('readAnswer', () => {
  it('reads an answer to its end', async () => {
    const { transport } = script([stream([start, text('Hel'), text('lo'), done, '[DONE]'])])
    expect(await read(transport)).toMatchObject({ text: 'Hello', end: { type: 'done' } })
  })

  it('sends a message once, after the network is back', async () => {
    const { transport, calls } = script([stream([start, text('Hello'), done, '[DONE]'])])
    let online = false
    const onWake: OnWake = (wake) => {
      queueMicrotask(() => {
        online = true
        wake('network')
      })
      return () => undefined
    }
    const { steps, text: read1, end } = await read(transport, { isOnline: () => online, onWake })
    expect(steps[0]).toEqual({ type: 'connection', state: 'offline' })
    expect({ text: read1, end, calls }).toEqual({ text: 'Hello', end: { type: 'done' }, calls: ['send one'] })
  })

  it('does not send a message that is cancelled while offline', async () => {
    const { transport, calls } = script([])
    const left = new AbortController()
    const onWake: OnWake = () => {
      queueMicrotask(() => left.abort())
      return () => undefined
    }
    const { end } = await read(transport, { isOnline: () => false, onWake, signal: left.signal })
    expect({ end, calls }).toEqual({ end: { type: 'left' }, calls: [] })
  })

  it('resumes after the last received event when the connection breaks', async () => {
    const { transport, calls } = script([
      stream([start, text('Hel')], { cut: true }),
      stream([text('lo'), done, '[DONE]'], { first: 3 }),
    ])
    expect(await read(transport)).toMatchObject({ text: 'Hello', end: { type: 'done' } })
    expect(calls).toEqual(['send one', 'resume m1 after 2'])
  })

  it('resumes when the stream ends early', async () => {
    const { transport } = script([stream([start, text('a')]), stream([text('b'), done], { first: 3 })])
    expect(await read(transport)).toMatchObject({ text: 'ab', end: { type: 'done' } })
  })

  it('drops duplicate events', async () => {
    const { transport } = script([
      stream([start, text('a')], { cut: true }),
      stream([text('a'), text('b'), done], { first: 2 }),
    ])
    expect((await read(transport)).text).toBe('ab')
  })

  it('resumes at a gap instead of showing incomplete text', async () => {
    const { transport, calls } = script([gapped(), stream([text('b'), text('c'), done], { first: 3 })])
    expect((await read(transport)).text).toBe('abc')
    expect(calls[1]).toBe('resume m1 after 2')
  })

  it('starts over if a gap remains', async () => {
    const { transport, calls } = script([
      gapped(),
      stream([text('c')], { first: 4 }),
      stream([start, text('a'), text('b'), text('c'), done]),
    ])
    expect((await read(transport)).text).toBe('abc')
    expect(calls[2]).toBe('resume m1 after 0')
  })

  it('starts over if a finished answer was renumbered', async () => {
    const { transport } = script([
      stream([start, text('a'), text('b'), text('c')], { cut: true }),
      stream([start, text('abc'), done]),
      stream([start, text('abc'), done]),
      stream([start, text('abc'), done]),
    ])
    expect(await read(transport)).toMatchObject({ text: 'abc', end: { type: 'done' } })
  })

  it('starts over if there is nothing behind what is known of an answer', async () => {
    const { transport, calls } = script([stream([]), stream([]), stream([start, text('a'), done])])
    const request: AnswerRequest = { type: 'resume', streamId: 'm1', after: 4 }
    expect(await read(transport, { request })).toMatchObject({ text: 'a', end: { type: 'done' } })
    expect(calls).toEqual(['resume m1 after 4', 'resume m1 after 4', 'resume m1 after 0'])
  })

  it('repeats a send without a response under the same id, and gives up after three tries', async () => {
    const { transport, calls } = script([network(), network(), stream([start, done])])
    expect((await read(transport)).end).toEqual({ type: 'done' })
    expect(calls).toEqual(['send one', 'send one', 'send one'])
    const lost = script([network(), network(), network()])
    expect((await read(lost.transport)).end).toMatchObject({ type: 'refused', failure: { code: 'network' } })
  })

  it('never repeats a refused send', async () => {
    const { transport, calls } = script([refusal(402, 'insufficient_credits')])
    expect((await read(transport)).end).toMatchObject({ type: 'refused', failure: { code: 'insufficient_credits' } })
    expect(calls).toHaveLength(1)
  })

  it('ends with the stream’s error', async () => {
    const { transport } = script([stream([start, text('a'), { error: 'Down', code: 'provider_error' }, '[DONE]'])])
    expect((await read(transport)).end).toEqual({ type: 'error', error: 'Down', code: 'provider_error' })
  })

  it('is interrupted by a stream that closes without an end event', async () => {
    const { transport } = script([stream([start, text('a'), '[DONE]'])])
    expect((await read(transport)).end).toEqual({ type: 'interrupted', reason: 'broken-off' })
  })

  it('gives up after twenty tries without a new event', async () => {
    const { transport, calls } = script([stream([start], { cut: true }), ...Array.from({ length: 20 }, network)])
    expect((await read(transport)).end).toEqual({ type: 'interrupted', reason: 'failed' })
    expect(calls).toHaveLength(21)
  })

  it('survives a restart of the server, but fails if the answer is unknown', async () => {
    const { transport } = script([
      stream([start], { cut: true }),
      refusal(503, 'unavailable'),
      refusal(404, 'not_found'),
    ])
    expect((await read(transport)).end).toEqual({ type: 'gone' })
  })

  it('resumes an answer from the start if nothing was received', async () => {
    const { transport, calls } = script([stream([start, text('a'), done])])
    const request: AnswerRequest = { type: 'resume', streamId: 'm1', after: 0 }
    expect((await read(transport, { request })).text).toBe('a')
    expect(calls).toEqual(['resume m1 after 0'])
  })

  it('accepts a JSON response, and rejects one without content', async () => {
    const { transport } = script([Response.json({ chatId: 'c', messageId: 'm', content: 'Hello' })])
    expect(await read(transport)).toMatchObject({ text: 'Hello', end: { type: 'done' } })
    const odd = script([Response.json({ hello: 1 })])
    expect((await read(odd.transport)).end).toMatchObject({ type: 'refused', failure: { code: 'invalid_response' } })
  })

  it('closes a silent connection and resumes', async () => {
    const { transport } = script([silent(), stream([text('b'), done], { first: 3 })])
    expect((await read(transport, { overrides: { idleMs: 20 } })).text).toBe('ab')
  })

  it('closes a connection that has been silent since before the network returned, sooner than when the tab is shown', async () => {
    const { transport } = script([silent(), stream([text('b'), done], { first: 3 })])
    const onWake: OnWake = (wake) => {
      setTimeout(() => wake('shown'), 10)
      setTimeout(() => wake('network'), 20)
      return () => undefined
    }
    const overrides = { networkIdleMs: -1, wakeIdleMs: 60_000 }
    const { text: shown, steps } = await read(transport, { onWake, overrides })
    expect(shown).toBe('ab')
    expect(steps.filter((step) => step.type === 'connection' && step.state === 'reconnecting')).toHaveLength(1)
  })

  it('checks once more at the deadline, as the answer may have ended while the tab slept', async () => {
    const { transport } = script([silent(), stream([text('b'), done], { first: 3 })])
    expect(await read(transport, { overrides: { totalMs: 20 } })).toMatchObject({ text: 'ab', end: { type: 'done' } })
    const slow = script([silent(), silent()])
    expect((await read(slow.transport, { overrides: { totalMs: 20 } })).end).toEqual({
      type: 'interrupted',
      reason: 'timeout',
    })
  })

  it('stops when reading is cancelled', async () => {
    const leaving = new AbortController()
    const { transport } = script([silent()])
    setTimeout(() => leaving.abort(), 10)
    expect((await read(transport, { signal: leaving.signal })).end).toEqual({ type: 'left' })
  })
})

/** A stream that lacks its third event. */
function gapped(): Response {
  const wire = [start, text('a'), null, text('c')]
    .map((event, index) => (event ? `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n` : ''))
    .join('')
  return new Response(wire, { headers: { 'content-type': 'text/event-stream' } })
}

/** A stream of two events that then stays silent until it is aborted. */
function silent(): (signal: AbortSignal) => Promise<Response> {
  return async (signal) => {
    const body = new ReadableStream<Uint8Array>({
      start: (control) => {
        const wire = [start, text('a')].map((event, index) => `id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`)
        control.enqueue(new TextEncoder().encode(wire.join('')))
        signal.addEventListener('abort', () => control.error(new DOMException('Aborted', 'AbortError')))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}
