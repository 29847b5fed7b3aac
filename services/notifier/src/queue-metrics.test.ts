import { createMetrics, type Logger } from '@parley/kit'
import { expect, it } from 'vitest'
import { createQueueWatch } from './queue-metrics.ts'
import type { QueueState } from './store/delivery-store.ts'

/** A queue watch over a fake queue, and its log lines. */
function watching() {
  const queue: { state: QueueState } = { state: { queued: 0, oldestSeconds: 0, reason: null } }
  const metrics = createMetrics('notifier', false)
  const said: unknown[] = []
  const log = { error: (state: unknown) => said.push(state) } as unknown as Logger
  const deliveries = { waiting: async () => queue.state, settled: async () => ({ sent: 0, failed: 0, reason: null }) }
  return { queue, metrics, said, watch: createQueueWatch({ deliveries, metrics, log }) }
}

it('the queue metrics log a long queue once in ten minutes, and again after it has recovered', async () => {
  const { queue, said, watch } = watching()
  await watch.look(0)
  expect(said).toEqual([])
  queue.state = { queued: 3, oldestSeconds: 900, reason: null }
  await watch.look(10_000)
  await watch.look(20_000)
  expect(said).toEqual([queue.state])
  await watch.look(610_000)
  expect(said).toHaveLength(2)
  queue.state = { queued: 0, oldestSeconds: 0, reason: null }
  await watch.look(620_000)
  queue.state = { queued: 1_000, oldestSeconds: 1, reason: null }
  await watch.look(630_000)
  expect(said).toHaveLength(3)
})

it('the queue metrics read the queue at most every ten seconds', async () => {
  const { queue, metrics, watch } = watching()
  queue.state = { queued: 7, oldestSeconds: 42, reason: null }
  await watch.look(0)
  queue.state = { queued: 8, oldestSeconds: 43, reason: null }
  await watch.look(9_000)
  expect(await metrics.metrics()).toContain('notifier_mails_queued{service="notifier"} 7')
  expect(await metrics.metrics()).toContain('notifier_oldest_mail_seconds{service="notifier"} 42')
})
