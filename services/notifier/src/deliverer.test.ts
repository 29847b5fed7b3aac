import { createLogger } from '@parley/kit'
import { expect, it, vi } from 'vitest'
import { createDeliverer, usualPace } from './deliverer.ts'
import type { Mail } from './mail/mail.ts'

it('the deliverer reads the queue again at once when a mail was queued during the read', async () => {
  const claim = vi.fn(async () => [])
  const deliverer = createDeliverer({
    deliveries: { claim, sweep: vi.fn(), settle: vi.fn(), drop: vi.fn(), postpone: vi.fn() },
    watch: { settled: vi.fn(), look: vi.fn() },
    compose: vi.fn(),
    mailer: { send: vi.fn(), close: vi.fn() },
    log: createLogger('deliverer-test', 'silent'),
    pace: { ...usualPace, lookMs: 3_600_000 },
  })
  claim.mockImplementationOnce(async () => {
    deliverer.nudge()
    return []
  })
  deliverer.start()
  await expect.poll(() => claim).toHaveBeenCalledTimes(2)
  await deliverer.stop()
})

it('the deliverer does not resend a mail when storing its outcome fails at first', async () => {
  const delivery = { eventId: 'e1', kind: 'verification', subjectId: 'v1', userId: null, about: null } as const
  const queue = [{ ...delivery, attempts: 1, ageSeconds: 0 }]
  const sent: string[] = []
  const kept: string[] = []
  const keep = (what: string, works: () => boolean) => async () => {
    if (!works()) throw new Error('the store is unavailable')
    kept.push(what)
  }
  let tries = 0
  const deliverer = createDeliverer({
    deliveries: {
      claim: async () => queue.splice(0),
      sweep: async () => undefined,
      settle: keep('settled', () => ++tries > 2),
      drop: keep('dropped', () => true),
      postpone: keep('postponed', () => true),
    },
    compose: async () => ({ messageId: 'e1@x', to: { name: '', address: 'a@b.test' } }) as Mail,
    mailer: { send: async ({ messageId }) => ({ ...(sent.push(messageId) && {}) }), close: () => undefined },
    watch: { settled: () => undefined, look: async () => undefined },
    log: createLogger('deliverer-test', 'silent'),
    pace: usualPace,
  })
  deliverer.start()
  await expect.poll(() => kept).toEqual(['settled'])
  expect(sent).toEqual(['e1@x'])
  await deliverer.stop()
})
