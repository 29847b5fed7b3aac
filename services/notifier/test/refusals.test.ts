import type { Readiness } from '@parley/contracts'
import { newId } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GivenNotifier, givenNotifier, quick } from './given.ts'

let given: GivenNotifier
beforeEach(async () => {
  given = await givenNotifier()
})
afterEach(() => given.stop())
const mailQueueOf = async (url: string) => ((await (await fetch(`${url}/readyz`)).json()) as Readiness).mailQueue
const isSent = (eventId: string) => expect.poll(() => given.stateOf(eventId)).toBe('sent')
/** Refuses the first `times` attempts. */
const atFirst = <R>(times: number, refusal: R) => {
  let left = times
  return () => (left-- > 0 ? refusal : undefined)
}

describe('an SMTP server that refuses', () => {
  it('an address permanently is reported with the reason but without the address, and does not delay the next mail', async () => {
    await given.replaceSmtp({ refuse: (to) => (to.startsWith('gone') ? 550 : undefined) })
    await given.start()
    const refused = await given.verificationRequested({ to: 'gone@example.test' })
    const next = await given.verificationRequested()
    await isSent(next.id)
    await expect.poll(() => given.stateOf(refused.id)).toBe('failed')
    const reason = '550 <address> is not wanted here'
    expect(await given.delivery(refused.id)).toMatchObject({ last_error: reason, attempts: 1 })
    const told = { kind: 'verification', subjectId: refused.data.verificationId, outcome: 'failed', reason }
    await expect.poll(() => given.settled).toContainEqual(told)
    await given.bus.publish([refused])
    const last = await given.verificationRequested()
    await isSent(last.id)
    expect(given.smtp().offered.filter((to) => to === 'gone@example.test')).toHaveLength(1)
    expect(given.settled.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1)
  })

  it('an address with a text that is cut inside a character is reported with the rest of it', async () => {
    await given.replaceSmtp({ refuse: () => `550 ${'x'.repeat(495)}😀` })
    await given.start()
    await given.verificationRequested()
    await expect.poll(() => given.settled.map(({ reason }) => reason)).toEqual([`550 ${'x'.repeat(495)}\uFFFD`])
  })

  it('one of two mails is reported to admins with the reason but without the address', async () => {
    await given.replaceSmtp({ refuse: (to) => (to.startsWith('gone') ? 550 : undefined) })
    const { url } = await given.start()
    const refused = await given.verificationRequested({ to: 'gone@example.test' })
    const sent = await given.verificationRequested()
    await isSent(sent.id)
    await expect.poll(() => given.stateOf(refused.id)).toBe('failed')
    const settled = { sent: 1, failed: 1, reason: '550 <address> is not wanted here' }
    await expect.poll(() => mailQueueOf(url)).toEqual({ waiting: 0, oldestAt: null, reason: null, settled })
    await given.query(`update deliveries set finished_at = now() - interval '25 hours'`)
    await expect.poll(() => mailQueueOf(url)).toMatchObject({ settled: { sent: 0, failed: 0, reason: null } })
  })

  it('the sender is reported to admins with the reason, while the mail waits', async () => {
    await given.replaceSmtp({ refuseSender: () => 530 })
    const { url } = await given.start()
    await given.verificationRequested()
    await expect.poll(() => mailQueueOf(url)).toMatchObject({ waiting: 1, reason: expect.stringMatching(/530/) })
  })

  it('a message permanently gets no second attempt', async () => {
    await given.replaceSmtp({ refuseMessage: () => 554 })
    await given.start()
    const event = await given.verificationRequested()
    await expect.poll(() => given.stateOf(event.id)).toBe('failed')
    expect(await given.delivery(event.id)).toMatchObject({ last_error: '554 this message is not wanted here' })
  })

  it.each(['refuse', 'refuseMessage'] as const)('temporarily gets another attempt: %s', async (what) => {
    await given.replaceSmtp({ [what]: atFirst(2, 451) })
    await given.start()
    const event = await given.verificationRequested()
    await isSent(event.id)
    expect(await given.delivery(event.id)).toMatchObject({ attempts: 3, last_error: null })
    expect(given.smtp().received).toHaveLength(1)
  })

  it('the sender gets another attempt, since the configuration may be corrected', async () => {
    await given.replaceSmtp({ refuseSender: atFirst(2, 530) })
    await given.start()
    const event = await given.verificationRequested()
    await isSent(event.id)
    expect(await given.delivery(event.id)).toMatchObject({ attempts: 3 })
  })

  it('Parley in its response about the recipient gets another attempt, and the address is not reported as refused', async () => {
    await given.replaceSmtp({ refuse: atFirst(2, '554 5.7.1 <ann@example.test>: Relay access denied') })
    const { url } = await given.start()
    const event = await given.verificationRequested()
    await isSent(event.id)
    expect(await given.delivery(event.id)).toMatchObject({ attempts: 3 })
    await given.replaceSmtp({ refuse: () => '554 5.7.1 <ann@example.test>: Relay access denied' })
    const waiting = await given.verificationRequested()
    const reason = expect.stringContaining('554 5.7.1 <address>: Relay access denied')
    await expect.poll(() => mailQueueOf(url)).toMatchObject({ waiting: 1, reason })
    expect(await given.stateOf(waiting.id)).toBe('queued')
    expect(given.settled.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })

  it('an unverified address in a sandbox, like Amazon SES, is reported to admins with the reason, while the mail waits', async () => {
    const said = 'Email address is not verified. The following identities failed the check in region EU-WEST-1:'
    await given.replaceSmtp({ refuseMessage: ([to]) => `554 Message rejected: ${said} ${to}` })
    const { url } = await given.start()
    const event = await given.verificationRequested()
    const reason = expect.stringContaining(`554 Message rejected: ${said} <address>`)
    await expect.poll(() => mailQueueOf(url)).toMatchObject({ waiting: 1, reason })
    await given.replaceSmtp({})
    await isSent(event.id)
    expect(given.settled.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  })
})

describe('an SMTP server that does not answer', () => {
  it('for some recipients delays neither other mails nor a stop of the service', async () => {
    await given.replaceSmtp({ stall: (to) => to.startsWith('slow') })
    const running = await given.start({ ...quick, stopMs: 100 })
    const slow = await Promise.all(
      Array.from({ length: 2 }, (_value, n) => given.verificationRequested({ to: `slow${n}@example.test` })),
    )
    await expect.poll(() => given.smtp().offered).toHaveLength(2)
    const others = await Promise.all(Array.from({ length: 4 }, () => given.verificationRequested()))
    for (const { id } of others) await isSent(id)
    for (const { id } of slow) expect(await given.stateOf(id)).toBe('queued')
    await running.stop(5_000)
    expect(await given.query('select 1 from deliveries where claimed_until > now()')).toEqual([])
    expect(given.smtp().received).toHaveLength(4)
  })

  it('and then recovers gets a mail once', async () => {
    let stalls = 2
    await given.replaceSmtp({ stall: () => stalls-- > 0 })
    await given.start({ ...quick, sendMs: 6_000 })
    const event = await given.verificationRequested()
    await isSent(event.id)
    expect(await given.delivery(event.id)).toMatchObject({ attempts: 3 })
    expect(given.smtp().received).toHaveLength(1)
  })
})

it('the outcome of a mail is published once although two replicas settle it', async () => {
  const running = await given.start()
  await running.stop(500)
  const subject = newId()
  await given.query(
    `insert into deliveries (event_id, kind, subject_id, attempts) values ('e1', 'verification', $1, 1)`,
    [subject],
  )
  const { deliveries, close } = given.stores()
  const delivery = { eventId: 'e1', kind: 'verification', subjectId: subject, userId: null, about: null } as const
  await Promise.all(Array.from({ length: 5 }, () => deliveries.settle(delivery, { outcome: 'sent' })))
  await deliveries.postpone({ ...delivery, attempts: 1, ageSeconds: 0 }, 0, 'late')
  expect(await given.stateOf('e1')).toBe('sent')
  expect(await given.query('select 1 from outbox')).toHaveLength(1)
  await close()
})
