import { openMemoryHub } from '@parley/cache'
import { keyPrincipal, testLog } from '@parley/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Claim, RequestStore } from '../store/request-store.ts'
import { createIdempotency, type IdempotencyDeps } from './idempotency.ts'
import { logLiveAnswer } from './live-answers.ts'
import type { Output } from './output.ts'

const whole = { headers: { 'content-type': 'text/event-stream' }, body: Buffer.from('One two') }

let hub: ReturnType<typeof openMemoryHub>
beforeEach(() => {
  hub = openMemoryHub({ log: testLog })
})
afterEach(async () => {
  vi.useRealTimers()
  await hub.close()
})

/** A repeated stream of which `One` was logged, with this outcome in the store. @param isClosed whether its maker ended the log */
async function repeatOf(claim: Claim, { isClosed = true } = {}) {
  const { signal, streamLog } = hub.open('llm-router')
  const live = logLiveAnswer({ streamLog, log: testLog }, 'first', { 'content-type': 'text/event-stream' })
  live.write(Buffer.from('One'))
  if (isClosed) await live.close()
  const claims: Claim[] = [{ running: 'first' }, claim]
  let released = 0
  const store: RequestStore = {
    recordFinished: async () => undefined,
    claim: async () => claims.shift() ?? claim,
    answer: async () => whole,
    isRunning: async () => false,
    extend: async () => undefined,
    keep: async () => undefined,
    release: async () => {
      released += 1
    },
    sweep: async () => undefined,
  }
  const deps: IdempotencyDeps = { store, signal, streamLog, newId: () => 'second', log: testLog }
  const written: Uint8Array[] = []
  const begun: Readonly<Record<string, string>>[] = []
  const output: Output = {
    left: new AbortController().signal,
    begin: (headers) => void begun.push(headers),
    write: async (bytes) => void written.push(bytes),
    end: async (bytes) => void written.push(bytes),
  }
  const asked = {
    key: keyPrincipal(),
    idempotencyKey: 'key',
    path: '/v1/chat/completions',
    body: {},
    takeRepeat: async () => undefined,
  }
  const serve = async (): Promise<void> => {
    throw new Error('served again')
  }
  const ended = createIdempotency(deps)
    .once(asked, output, serve)
    .catch((error: unknown) => error)
  if (!isClosed) await vi.advanceTimersByTimeAsync(10_000)
  const outcome = await ended
  return { outcome, begun, text: Buffer.concat(written).toString(), released }
}

it('a repeat that followed a stream gets the rest from the stored answer', async () => {
  expect(await repeatOf({ answered: 'first' })).toEqual({
    ...{ outcome: undefined, text: 'One two', released: 0 },
    begun: [{ 'content-type': 'text/event-stream', 'idempotent-replayed': 'true' }],
  })
})

it('a repeat that followed a stream whose maker died breaks off, and releases the key', async () => {
  const { outcome, text, released } = await repeatOf('own')
  expect([outcome, text, released]).toEqual([expect.objectContaining({ code: 'unavailable' }), 'One', 1])
})

it('a repeat that follows a stream whose maker died without ending its log breaks off, instead of waiting until the log expires', async () => {
  vi.useFakeTimers()
  const { outcome, text, released } = await repeatOf('own', { isClosed: false })
  expect([outcome, text, released]).toEqual([expect.objectContaining({ code: 'unavailable' }), 'One', 1])
})

it.each<[string, Claim]>([
  ['stored', { answered: 'third' }],
  ['running', { running: 'third' }],
])(
  'a repeat that followed a stream breaks off instead of continuing with another one that is %s by then',
  async (_state, claim) => {
    const { outcome, text, released } = await repeatOf(claim)
    expect([outcome, text, released]).toEqual([expect.objectContaining({ code: 'unavailable' }), 'One', 0])
  },
)
