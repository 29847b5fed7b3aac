import type { KnownKey } from '@parley/contracts'
import { createKeySecret, type ServiceClient } from '@parley/kit'
import { fixedClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { createKnownKeys } from './known-keys.ts'

const key: KnownKey = { keyId: 'k', userId: 'ann', tier: 1, customLimits: null, endsAt: null }

/** Keys that billing is asked for, each answer given by hand. */
function givenKeys() {
  const clock = fixedClock()
  const asked: ((found: KnownKey | null) => void)[] = []
  const call = () =>
    new Promise((resolve) => {
      asked.push((found) => resolve({ key: found }))
    })
  return { asked, clock, keys: createKnownKeys({ call } as unknown as ServiceClient, clock.now) }
}

it('a key that changes while it is looked up is looked up again by the next caller', async () => {
  const { asked, keys } = givenKeys()
  const secret = createKeySecret()
  const early = keys.find(secret)
  keys.drop('k')
  asked[0]?.(key)
  expect(await early).toEqual(key)
  expect(keys.peek(secret)).toBeUndefined()
  const later = keys.find(secret)
  asked[1]?.(null)
  expect(await later).toBeUndefined()
})

it('a key is known until the moment of its end, and not at it', async () => {
  const { asked, clock, keys } = givenKeys()
  const secret = createKeySecret()
  const found = keys.find(secret)
  const expiring = { ...key, endsAt: new Date(clock.now().getTime() + 1_000).toISOString() }
  asked[0]?.(expiring)
  expect(await found).toEqual(expiring)
  clock.advance(999)
  expect([keys.peek(secret), await keys.find(secret)]).toEqual([expiring, expiring])
  clock.advance(1)
  expect([keys.peek(secret), await keys.find(secret)]).toEqual([undefined, undefined])
})
