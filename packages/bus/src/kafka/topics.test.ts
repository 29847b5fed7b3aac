import { expect, it } from 'vitest'
import { eventTopicPlan, letterTopicPlan } from './topics.ts'

const settingsOf = (plan: ReturnType<typeof eventTopicPlan>) =>
  Object.fromEntries((plan.configEntries ?? []).map(({ name, value }) => [name, value]))

it('topics of events keep them for seven days by the clock of the broker', () => {
  expect(settingsOf(eventTopicPlan('parley.auth', { partitions: 6, replication: 3 }))).toMatchObject({
    'cleanup.policy': 'delete',
    'retention.ms': '604800000',
    'message.timestamp.type': 'LogAppendTime',
  })
})

it.each([
  [1, '1'],
  [2, '1'],
  [3, '2'],
  [5, '4'],
])(
  'records on %i copies are acknowledged by %s of them at least, so that one broker may be away',
  (replication, inSync) => {
    for (const plan of [eventTopicPlan, letterTopicPlan]) {
      const made = plan('parley.auth', { partitions: 6, replication })
      expect([made.replicationFactor, settingsOf(made)['min.insync.replicas']]).toEqual([replication, inSync])
    }
  },
)
