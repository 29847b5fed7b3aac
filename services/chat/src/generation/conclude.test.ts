import { createLogger } from '@parley/kit'
import { expect, it } from 'vitest'
import { type Conclusion, conclude } from './conclude.ts'

const ending: Conclusion['ending'] = {
  outcome: 'complete',
  finishReason: 'stop',
  usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  credits: { charged: 1, remaining: 9 },
  failure: null,
  durationMs: 5,
}
const conclusion: Conclusion = {
  generation: { id: 'g1', ownerId: 'u1', chatId: 'c1', guest: null },
  progress: {
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
  },
  ending,
  reserved: 'yes',
}

/** The store and billing, as far as an ending touches them; `acts` is what was done, in order. */
function given({ lease = 'mine' } = {}) {
  const acts: string[] = []
  const told: string[] = []
  const deps = {
    generations: {
      finish: async (_id: string, owner: string) => {
        acts.push('finish')
        return owner === lease
      },
      noteSettled: async () => void acts.push('note'),
    },
    charges: {
      settle: async () => {
        acts.push('settle')
        return { charged: 1, remaining: 8 }
      },
    },
    changes: { message: async (_userId: string, _chatId: string, id: string) => void told.push(id) },
    wake: { tell: async (_ownerId: string, id: string) => void told.push(`end of ${id}`) },
    log: createLogger('test', 'silent'),
    now: () => new Date(0),
    newId: () => 'e1',
  } as unknown as Parameters<typeof conclude>[0]
  return { deps, acts, told }
}

it('stores the end before it tells of it and settles, and tells the credits as they then are', async () => {
  const { deps, acts, told } = given()
  expect(await conclude(deps, 'mine', conclusion)).toEqual({ ...ending, credits: { charged: 1, remaining: 8 } })
  expect(acts).toEqual(['finish', 'settle', 'note'])
  expect(told).toEqual(['end of g1', 'g1'])
})

it('settles nothing of an answer that somebody else has ended', async () => {
  const { deps, acts } = given({ lease: 'theirs' })
  expect(await conclude(deps, 'mine', conclusion)).toBeUndefined()
  expect(acts).toEqual(['finish'])
})

it('settles nothing that was not reserved, or not surely', async () => {
  const { deps, acts } = given()
  expect(await conclude(deps, 'mine', { ...conclusion, reserved: 'unknown' })).toEqual(ending)
  expect(acts).toEqual(['finish'])
  expect(await conclude(deps, 'mine', { ...conclusion, reserved: 'no' })).toEqual(ending)
  expect(acts).toEqual(['finish', 'finish', 'note'])
})
