import { describe, expect, it } from 'vitest'
import { endOf, generationIdOf } from '../store/continued.ts'
import type { Ending, Generation } from '../store/entities.ts'
import { decideContinue, decideEnd, hasRest, mostGenerations, ownProgress } from './continuation.ts'
import { mayBeRetried } from './ending.ts'

const at = new Date(Date.UTC(2030, 0, 1))
const later = new Date(at.getTime() + 2_000)
const ending: Ending = {
  outcome: 'stopped',
  finishReason: 'stopped',
  usage: { inputTokens: 5, outputTokens: 2, estimated: false },
  credits: { charged: 1, remaining: 9 },
  failure: null,
  durationMs: 800,
}
const answer: Generation = {
  ...{ id: 'm', chatId: 'c', ownerId: 'u', parentId: 'q', model: 'v3', price: 2, guest: null, createdAt: at },
  ...{ expiresAt: null, continued: null, opening: [], content: 'The quick', reasoning: 'Hm', reasoningMs: 50 },
  ...{ frames: [-2, 9], events: [], search: null, attachments: [], promptTokens: 5 },
  ...{ status: 'complete', stop: null, leaseOwner: 'r', ending },
}
const usage = { inputTokens: 9, outputTokens: 4, estimated: false }
const ended = { kind: 'ended', finishReason: 'stop', usage } as const

/** The answer while it is continued, having come to `content`. */
function going(content: string, from: Generation = answer): Generation {
  const decided = decideContinue(from, `next of ${generationIdOf(from)}`, at)
  if (decided === undefined) throw new Error('It has a rest')
  return { ...from, content, status: 'generating', ending: null, continued: decided.continued }
}

/** The answer once its continuation ended. */
function over(generation: Generation, cause: Parameters<typeof decideEnd>[0] = ended): Generation {
  const end = decideEnd(cause, generation, generation, { now: later, heldRemaining: 7 })
  return { ...generation, ...end.kept, ending: end.ending, status: end.ending.unchanged ?? 'complete' }
}

describe('an answer', () => {
  it.each([
    [ending, true],
    [{ ...ending, outcome: 'complete', finishReason: 'length' }, true],
    [{ ...ending, outcome: 'interrupted', finishReason: 'error' }, true],
    [{ ...ending, outcome: 'complete', finishReason: 'stop' }, false],
    [{ ...ending, outcome: 'error', finishReason: 'error' }, false],
    [null, false],
  ] as const)('that ended as %j has a rest: %s', (how, has) => {
    expect(hasRest('Text', how)).toBe(has)
    expect(hasRest(' \n', how)).toBe(false)
  })

  it('is continued with its text so far, unless it completed or was continued too often', () => {
    expect(decideContinue(answer, 'next', later)).toMatchObject({
      continued: { id: 'next', begunAt: later.toISOString(), from: { content: 9, reasoning: 2 }, status: 'complete' },
      seed: { content: 'The quick', reasoning: 'Hm', reasoningMs: 50 },
    })
    expect(decideContinue(over(going('The quick fox')), 'again', later)).toBeUndefined()
    let long = answer
    for (let made = 1; made < mostGenerations; made += 1) {
      long = over(going(`${long.content}.`, long), { kind: 'stopped', reason: 'user' })
    }
    expect(decideContinue(long, 'one too many', later)).toBeUndefined()
  })
})

describe('a continuation', () => {
  it('is charged and timed by its own text alone', () => {
    const generation = going('The quick fox')
    expect(ownProgress(generation, generation.continued).content).toBe(' fox')
    const { ending: own } = decideEnd(ended, generation, generation, { now: later, heldRemaining: 7 })
    expect(own).toMatchObject({ credits: { charged: 2, remaining: 7 }, usage, durationMs: 2_000 })
    const lost = decideEnd({ kind: 'lost' }, { ...generation }, generation, { now: later })
    expect(lost.ending.usage.outputTokens).toBeLessThan(3)
  })

  it('is one answer with the generations before it, which has the last ending and the sums', () => {
    const shown = endOf(over(going('The quick fox')))
    expect(shown.ending).toMatchObject({
      finishReason: 'stop',
      usage: { inputTokens: 14, outputTokens: 6, estimated: false },
      credits: { charged: 3, remaining: 7 },
      durationMs: 2_800,
    })
    expect(shown.generations?.map(({ id }) => id)).toEqual(['m', 'next of m'])
    expect(endOf(going('The quick fox'))).toMatchObject({ ending: null, generationId: 'next of m' })
    expect(endOf(answer)).toEqual({ ending })
  })

  it.each([
    [{ kind: 'lost' }],
    [{ kind: 'failed', error: 'Broken', code: 'provider_error' }],
    [ended],
    [{ kind: 'stopped', reason: 'user' }],
  ] as const)('of which nothing came (%j) is free and leaves the answer as it was', (cause) => {
    const generation = { ...going('The quick \n'), model: 'other', reasoning: 'Hmmm' }
    const { own, ending: its } = decideEnd(cause, generation, generation, { now: later, heldRemaining: 7 })
    expect(its).toMatchObject({ credits: { charged: 0, remaining: 9 }, unchanged: 'complete' })
    expect(own.model).toBe('other')
    const left = over(generation, cause)
    expect(left).toMatchObject({ content: 'The quick', reasoning: 'Hm', model: 'v3', status: 'complete' })
    expect(endOf(left).ending).toEqual({ ...ending, credits: { charged: 1, remaining: 9 } })
    expect(endOf(left).generations).toHaveLength(1)
    expect(decideContinue(left, 'again', later)?.continued.earlier).toHaveLength(2)
    expect(mayBeRetried(left)).toBe(its.failure !== null)
  })
})
