import { createLogger } from '@parley/kit'
import { expect, it, vi } from 'vitest'
import { createDeliverer, usualPace } from './deliverer.ts'

it('looks again at once when something was queued while it looked', async () => {
  const claim = vi.fn(async () => [])
  const deliverer = createDeliverer({
    deliveries: { claim, sweep: vi.fn(), queue: vi.fn(), finish: vi.fn(), postpone: vi.fn() },
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
  await vi.waitFor(() => expect(claim).toHaveBeenCalledTimes(2))
  await deliverer.stop()
})
