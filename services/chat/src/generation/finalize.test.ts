import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import type { Event } from '@parley/contracts'
import { createLogger, createMetrics } from '@parley/kit'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createGenerationMetrics } from '../generation-metrics.ts'
import { finalize, type GenerationOutcome } from './finalize.ts'

const ending: GenerationOutcome['end']['ending'] = {
  outcome: 'complete',
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  credits: { charged: 1, remaining: 9 },
  failure: null,
  durationMs: 5,
}
const progress = {
  content: 'Text',
  reasoning: '',
  events: [],
  search: null,
  attachments: [],
  frames: [4],
  model: 'v3',
  price: 1,
  opening: [],
  promptTokens: 1,
  reasoningMs: 0,
}
const outcome: GenerationOutcome = {
  generation: { id: 'g1', ownerId: 'u1', chatId: 'c1', guest: null, continued: null },
  end: { kept: progress, own: progress, ending },
  reserved: 'yes',
}

/** The store and billing, as far as an ending touches them; `acts` is what was done, in order. */
function given({ lease = 'mine', remaining = 8 } = {}) {
  const acts: string[] = []
  const told: string[] = []
  const events: (Event | undefined)[] = []
  const deps = {
    generations: {
      finish: async (_id: string, owner: string, _kept: unknown, _ending: unknown, event?: Event) => {
        acts.push('finish')
        events.push(event)
        return owner === lease
      },
      noteSettled: async () => void acts.push('note'),
    },
    charges: {
      settle: async () => {
        acts.push('settle')
        return { charged: 1, remaining }
      },
    },
    changes: { message: async (_userId: string, _chatId: string, id: string) => void told.push(id) },
    metrics: createGenerationMetrics(createMetrics('test', false)),
    waiters: { notify: async (_ownerId: string, id: string) => void told.push(`end of ${id}`) },
    log: createLogger('test', 'silent'),
    now: () => new Date(0),
    newId: () => 'e1',
  } as unknown as Parameters<typeof finalize>[0]
  return { deps, acts, told, events }
}

it('finalizing stores the end, then notifies and settles, and returns the settled credits', async () => {
  const { deps, acts, told } = given()
  expect(await finalize(deps, 'mine', outcome)).toEqual({ ...ending, credits: { charged: 1, remaining: 8 } })
  expect(acts).toEqual(['finish', 'settle', 'note'])
  expect(told).toEqual(['end of g1', 'g1'])
})

it('finalizing does not correct credits that are as they were stored, but closes a guest’s settlement', async () => {
  const { deps, acts } = given({ remaining: 9 })
  expect(await finalize(deps, 'mine', outcome)).toEqual(ending)
  expect(acts).toEqual(['finish', 'settle'])
  const guest = { sessionId: 's1', network: '4:192.0.2.1' }
  await finalize(deps, 'mine', { ...outcome, generation: { ...outcome.generation, ownerId: 'guest:s1', guest } })
  expect(acts).toEqual(['finish', 'settle', 'finish', 'settle', 'note'])
})

it('finalizing settles no answer that another replica has ended', async () => {
  const { deps, acts } = given({ lease: 'theirs' })
  expect(await finalize(deps, 'mine', outcome)).toBeUndefined()
  expect(acts).toEqual(['finish'])
})

it('finalizing leaves the answer to another replica when the store stays unavailable for about 13 s', async () => {
  const { deps, acts } = given()
  let attempts = 0
  const finish = async (): Promise<boolean> => {
    attempts += 1
    throw new Error('unavailable')
  }
  const generations = { ...deps.generations, finish }
  const pauses = vi.spyOn(timers, 'setTimeout').mockImplementation(async () => undefined)
  syncBuiltinESMExports()
  onTestFinished(() => {
    pauses.mockRestore()
    syncBuiltinESMExports()
  })
  expect(await finalize({ ...deps, generations }, 'mine', outcome)).toBeUndefined()
  const pausedMs = pauses.mock.calls.reduce((sum, [ms = 0]) => sum + ms, 0)
  expect([attempts, pausedMs, acts]).toEqual([8, 12_700, []])
})

it('finalizing settles no answer without a sure reservation', async () => {
  const { deps, acts } = given()
  expect(await finalize(deps, 'mine', { ...outcome, reserved: 'unknown' })).toEqual(ending)
  expect(acts).toEqual(['finish'])
  expect(await finalize(deps, 'mine', { ...outcome, reserved: 'no' })).toEqual(ending)
  expect(acts).toEqual(['finish', 'finish'])
})

it('finalizing publishes the end, that of a guest’s answer without the guest, and nothing where nothing was reserved', async () => {
  const { deps, events, told } = given()
  const guest = { sessionId: 's1', network: '4:192.0.2.1' }
  await finalize(deps, 'mine', outcome)
  await finalize(deps, 'mine', { ...outcome, generation: { ...outcome.generation, ownerId: 'guest:s1', guest } })
  await finalize(deps, 'mine', { ...outcome, reserved: 'no' })
  const charged = { generationId: 'g1', outcome: 'complete', charge: 1 }
  expect(events.map((event) => event?.data)).toEqual([
    expect.objectContaining({ ...charged, userId: 'u1', chatId: 'c1' }),
    expect.objectContaining({ ...charged, userId: null, chatId: null }),
    undefined,
  ])
  // A guest's chats are on no other page.
  expect(told).toEqual(['end of g1', 'g1', 'end of g1', 'end of g1', 'g1'])
})
