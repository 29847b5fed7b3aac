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

async function exportOf(userId: string) {
  const exportId = newId()
  const data = { userId, exportId }
  await given.bus.publish([testEvent('auth.data-export-requested', userId, data)])
  await expect.poll(() => given.auth.exports.filesOf(exportId)).toBeDefined()
  return given.auth.exports.filesOf(exportId) ?? new Map<string, Buffer>()
}

it('a data export has the mails of a user with their times, but not their content', async () => {
  const [userId, other] = [newId(), newId()]
  const confirm = (of: string, to: string) => {
    const verificationId = newId()
    return given.happened('auth.verification-requested', verificationId, { userId: of, verificationId }, { to })
  }
  const sent = await confirm(userId, 'ann@example.test')
  await expect.poll(() => given.stateOf(sent.id)).toBe('sent')
  const refused = await confirm(userId, 'gone@example.test')
  await expect.poll(() => given.stateOf(refused.id)).toBe('failed')
  await confirm(other, 'bob@example.test')
  const files = await exportOf(userId)
  expect([...files.keys()]).toEqual(['mails.json'])
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(JSON.parse(String(files.get('mails.json')))).toEqual([
    { kind: 'verification', queuedAt: time, state: 'sent', settledAt: time },
    { kind: 'verification', queuedAt: time, state: 'failed', settledAt: time },
  ])
})

it('a data export of a user without mails has an empty list', async () => {
  expect([...(await exportOf(newId()))]).toEqual([['mails.json', Buffer.from('[]\n')]])
})
