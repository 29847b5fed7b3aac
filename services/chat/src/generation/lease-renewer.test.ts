import { createLogger } from '@parley/kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { NewGeneration, Progress } from '../store/entities.ts'
import type { Lease } from '../store/generation-store.ts'
import { type LeaseRenewerDeps, startLeaseRenewer } from './lease-renewer.ts'
import { defaultTiming } from './timing.ts'
import { createTranscript } from './transcript.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const generation: NewGeneration = {
  ...{ id: 'g', chatId: 'c', ownerId: 'u', parentId: 'q', model: 'v3', price: 1 },
  ...{ guest: null, opening: [], createdAt: new Date(0), expiresAt: null, continued: null },
}

/** An answer with the product's own times, and what was saved of it at which millisecond. */
function givenAnswer() {
  const now = () => new Date()
  const saved: { readonly at: number; readonly content: string | undefined }[] = []
  const deps = {
    generations: {
      checkpoint: async (_id: string, _lease: Lease, progress?: Progress) => {
        saved.push({ at: performance.now(), content: progress?.content })
        return { stop: null }
      },
    },
    charges: { renew: async () => undefined },
    timing: defaultTiming,
    log: createLogger('test', 'silent'),
    now,
  }
  const transcript = createTranscript(generation, now)
  const lease = { owner: 'this replica', ms: defaultTiming.leaseMs }
  const end = vi.fn()
  const renewer = startLeaseRenewer(deps as unknown as LeaseRenewerDeps, generation, transcript, lease, end)
  return { transcript, renewer, saved, end }
}

it('the text of an answer is saved as it begins, every 400 ms in its first two seconds, and every two seconds from then on', async () => {
  const { transcript, renewer, saved, end } = givenAnswer()
  // The provider thinks before its first word.
  await vi.advanceTimersByTimeAsync(1_300)
  expect(saved).toEqual([])
  const began = performance.now()
  let text = ''
  for (let ms = 0; ms <= 8_000; ms += 50) {
    text += `${ms} `
    transcript.add([{ kind: 'text', text: `${ms} ` }])
    if (ms === 0) renewer.textBegan()
    await vi.advanceTimersByTimeAsync(50)
  }
  await renewer.stop()
  expect(saved.map(({ at }) => at - began)).toEqual([0, 400, 800, 1200, 1600, 2000, 4000, 6000, 8000])
  for (const { at, content = '' } of saved) {
    // What came in the same moment as the save may be in it or not.
    expect(text.startsWith(content)).toBe(true)
    expect(content.split(' ').length - 1).toBeGreaterThanOrEqual((at - began) / 50)
  }
  expect(end).not.toHaveBeenCalled()
})
