import { expect, test } from 'vitest'
import type { Account } from './store/account.ts'
import { createUserFeed } from './user-feed.ts'

const never = new AbortController().signal

test('those that are connected are told of changes whose signal was missed', async () => {
  const banned = new Set<string>()
  const feed = createUserFeed(async (userId) => ({ isBanned: banned.has(userId), isAdmin: false }) as Account)
  const followers = ['ann', 'bob'].map((userId) => feed.follow(userId, 'session', never))
  const next = () => Promise.all(followers.map(async (follower) => (await follower.next()).value?.isBanned))
  expect(await next()).toEqual([false, false])
  const told = next()
  banned.add('ann').add('bob')
  feed.changedAny()
  expect(await told).toEqual([true, true])
  feed.end()
})
