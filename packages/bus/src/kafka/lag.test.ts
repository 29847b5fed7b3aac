import type { Admin } from 'kafkajs'
import { expect, test } from 'vitest'
import { readLag } from './lag.ts'
import { createNames } from './names.ts'

test('lag that cannot be read because the partitions of a topic are not known is reported by a sentence with the topic', async () => {
  const admin = {
    listTopics: async () => ['parley.auth'],
    // As in the library: without partitions, no topic is in the response that it takes apart.
    fetchTopicOffsets: async () => {
      const [{ partitions }] = [] as unknown as [{ partitions: [] }]
      return partitions
    },
  } as unknown as Admin
  await expect(readLag(admin, createNames('parley'), ['chat.bans'])).rejects.toThrow(
    /^the brokers name no partitions of the topic parley\.auth at present$/,
  )
})

test('lag that cannot be read for another reason is reported by that reason', async () => {
  const admin = {
    listTopics: async () => ['parley.auth'],
    fetchTopicOffsets: () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:9092')),
  } as unknown as Admin
  await expect(readLag(admin, createNames('parley'), ['chat.bans'])).rejects.toThrow(
    /^connect ECONNREFUSED 127\.0\.0\.1:9092$/,
  )
})
