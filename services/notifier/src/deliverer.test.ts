import { expect, it } from 'vitest'
import { createDeliverer, type DelivererDeps, usualPace } from './deliverer.ts'
import type { ClaimedDelivery } from './store/delivery-store.ts'

/** What becomes of a mail whose server cannot be reached, at this attempt and age; and what is logged of it. */
async function failed({ attempts, ageSeconds }: Pick<ClaimedDelivery, 'attempts' | 'ageSeconds'>) {
  const logged: unknown[] = []
  const note = (fields: unknown) => void logged.push(fields)
  const { promise, resolve } = Promise.withResolvers<object>()
  const claimed = [{ eventId: 'e', kind: 'verification', attempts, ageSeconds } as unknown as ClaimedDelivery]
  const deps = {
    deliveries: {
      claim: async () => claimed.splice(0),
      settle: async (_delivery: unknown, settled: unknown) => resolve({ settled }),
      postpone: async (_delivery: unknown, ms: number, why: string) => resolve({ postponed: ms, why }),
      sweep: async () => undefined,
    },
    compose: async () => ({}),
    mailer: {
      send: async () => {
        throw new Error('no route for ann@example.test')
      },
    },
    log: { info: note, warn: note, error: note },
    pace: usualPace,
    watch: { settled: () => undefined, look: async () => undefined },
  } as unknown as DelivererDeps
  const deliverer = createDeliverer(deps)
  deliverer.start()
  const outcome = await promise
  await deliverer.stop()
  expect(JSON.stringify([outcome, logged])).not.toContain('ann@')
  return outcome
}

it.each([
  [1, 5_000],
  [2, 10_000],
  [4, 40_000],
  [20, 600_000],
])(
  'after attempt %i a mail waits %i ms, and neither the log nor the queue says to whom it is',
  async (attempts, ms) => {
    expect(await failed({ attempts, ageSeconds: 60 })).toMatchObject({ postponed: ms })
  },
)

it('a mail is given up when its next attempt would start after a day', async () => {
  const [day, wait] = [86_400, 600]
  expect(await failed({ attempts: 20, ageSeconds: day - wait })).toMatchObject({ postponed: 600_000 })
  expect(await failed({ attempts: 20, ageSeconds: day - wait + 1 })).toMatchObject({ settled: { outcome: 'failed' } })
})

it('a mail without a recipient is dropped, which is logged without the recipient’s data', async () => {
  const lines: unknown[] = []
  const dropped = Promise.withResolvers<string>()
  const claimed = [{ eventId: 'e', kind: 'verification', subjectId: 'v', userId: 'u' } as unknown as ClaimedDelivery]
  const deliverer = createDeliverer({
    deliveries: {
      claim: async () => claimed.splice(0),
      drop: async (eventId: string) => dropped.resolve(eventId),
      sweep: async () => undefined,
    },
    compose: async () => undefined,
    log: { info: (fields: unknown) => void lines.push(fields) },
    pace: usualPace,
    watch: { settled: () => undefined, look: async () => undefined },
  } as unknown as DelivererDeps)
  deliverer.start()
  expect(await dropped.promise).toBe('e')
  await deliverer.stop()
  expect(lines).toEqual([{ eventId: 'e', kind: 'verification' }])
})
