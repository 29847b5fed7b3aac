import { openMemoryHub } from '@parley/cache'
import { createLogger } from '@parley/kit'
import { expect, it, vi } from 'vitest'
import type { Generation } from '../store/documents.ts'
import { createSweeper, type RecoveryDeps } from './sweeper.ts'
import { defaultTiming } from './timing.ts'

const log = createLogger('test', 'silent')

it('a sweeper that wakes from a sleep lets owners that live extend their leases before it ends any answer', async () => {
  let at = Date.now()
  const abandoned: string[] = []
  const ended: string[] = []
  const deps = {
    abandoned: {
      takeOver: async () => {
        const id = abandoned.pop()
        const text = { content: '', reasoning: '', frames: [], events: [], opening: [] }
        return id === undefined
          ? undefined
          : { id, stop: null, guest: null, price: 1, createdAt: new Date(at), ...text }
      },
      unsettled: async () => [],
      purgeExpired: async () => undefined,
    },
    generations: {
      finish: async (id: Generation['id']) => {
        ended.push(id)
        return true
      },
      noteSettled: async () => undefined,
    },
    charges: { settle: async () => ({ charged: 0, remaining: 0 }) },
    changes: { message: async () => undefined },
    wake: { tell: async () => undefined },
    streamLog: openMemoryHub({ log }).open('chat').streamLog,
    timing: { ...defaultTiming, checkpointMs: 100 },
    owner: 'this replica',
    isRunning: () => false,
    log,
    now: () => new Date(at),
    newId: () => 'event',
  }
  const sweeper = createSweeper(deps as unknown as RecoveryDeps)
  await sweeper.end()
  at += 3_600_000
  abandoned.push('asleep as well')
  await sweeper.end()
  expect(ended).toEqual([])
  at += defaultTiming.sweepMs
  await vi.waitFor(async () => {
    await sweeper.end()
    expect(ended).toEqual(['asleep as well'])
  })
})
