import { newId } from '@parley/kit'
import { testEvent } from '@parley/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type GivenNotifier, givenNotifier } from './given.ts'

let given: GivenNotifier
beforeEach(async () => {
  given = await givenNotifier({ refuse: (to) => (to.startsWith('gone') ? 550 : undefined) })
  await given.start()
})
afterEach(() => given.stop())

async function erased(userId: string): Promise<void> {
  const erasureId = newId()
  await given.bus.publish([testEvent('auth.user-deleted', userId, { userId, erasureId })])
  await expect.poll(() => given.auth.erased).toContain(erasureId)
}

const rowsWith = (text: string) =>
  given.query('select event_id from deliveries as d where strpos(d::text, $1) > 0', [text])

it('the mails to a deleted user are erased except for the event ids, and none is sent twice', async () => {
  const [userId, other] = [newId(), newId()]
  const confirm = (of: string, to: string) => {
    const verificationId = newId()
    return given.happened('auth.verification-requested', verificationId, { userId: of, verificationId }, { to })
  }
  const sent = await confirm(userId, 'ann@example.test')
  const refused = await confirm(userId, 'gone@example.test')
  const changed = await given.happened('auth.password-changed', userId, { userId })
  const kept = await confirm(other, 'bob@example.test')
  for (const [event, state] of [
    [sent, 'sent'],
    [refused, 'failed'],
    [changed, 'sent'],
    [kept, 'sent'],
  ] as const)
    await expect.poll(() => given.stateOf(event.id)).toBe(state)
  const mails = given.smtp().received.length
  expect(await rowsWith(userId)).toHaveLength(3)

  await erased(userId)
  expect(await rowsWith(userId)).toEqual([])
  expect(await given.delivery(refused.id)).toMatchObject({ state: 'dropped', subject_id: null, last_error: null })
  expect(await given.delivery(kept.id)).toMatchObject({ state: 'sent', user_id: other })
  given.auth.users.delete(userId)
  await given.bus.publish([sent, changed])
  const late = await given.happened('auth.password-changed', newId(), { userId })
  await expect.poll(() => given.stateOf(late.id)).toBe('dropped')
  expect(await rowsWith(userId)).toEqual([])
  expect(given.smtp().received).toHaveLength(mails)
})

it('a queued mail to a deleted user is not sent', async () => {
  await given.replaceSmtp(undefined)
  const userId = newId()
  const waiting = await given.happened('auth.password-changed', userId, { userId })
  await expect.poll(async () => (await given.delivery(waiting.id))?.attempts).toBeGreaterThan(0)
  await erased(userId)
  expect(await given.stateOf(waiting.id)).toBe('dropped')
})
