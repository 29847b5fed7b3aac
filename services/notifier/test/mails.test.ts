import { newId } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { headerOf, partOf } from './fake-smtp.ts'
import { type GivenNotifier, givenNotifier, quick } from './given.ts'

let given: GivenNotifier
beforeEach(async () => {
  given = await givenNotifier({ refuse: (to) => (to.startsWith('gone') ? 550 : undefined) })
})
afterEach(() => given.stop())
const isSent = (eventId: string) => expect.poll(() => given.stateOf(eventId)).toBe('sent')

describe('a mail', () => {
  it('has a fresh code, as text and as HTML, and names its purpose', async () => {
    await given.start()
    const event = await given.verificationRequested()
    await isSent(event.id)
    const [mail] = given.smtp().received
    const [issued] = given.auth.issued
    expect(mail).toMatchObject({ from: 'parley@example.test', to: ['ann@example.test'] })
    expect(issued?.id).toBe(event.data.verificationId)
    expect(headerOf(mail, 'Subject')).toBe(`${issued?.secret} is your Parley verification code`)
    expect(headerOf(mail, 'Message-ID')).toBe(`<${event.id}@chat.example.test>`)
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated')
    expect(headerOf(mail, 'Content-Language')).toBe('en')
    expect(headerOf(mail, 'Content-Type')).toContain('multipart/alternative')
    for (const type of ['text/plain', 'text/html'] as const) {
      expect(partOf(mail, type)).toContain(issued?.secret)
      expect(partOf(mail, type)).toContain('within 10 minutes')
      expect(partOf(mail, type)).toContain('Sent by Parley at https://chat.example.test')
    }
  })

  it('is sent once for repeated deliveries of its event to two replicas', async () => {
    await Promise.all([given.start(), given.start()])
    const event = await given.verificationRequested()
    for (let n = 0; n < 5; n += 1) await given.bus.publish([event])
    const other = await given.verificationRequested({ to: 'bob@example.test' })
    await isSent(other.id)
    await isSent(event.id)
    await expect.poll(() => given.bus.lag(['notifier.mails'])).toEqual({ 'notifier.mails': 0 })
    expect(given.smtp().received.filter(({ to }) => to.includes('ann@example.test'))).toHaveLength(1)
    await expect.poll(() => given.settled).toHaveLength(2)
  })

  it('waits while the SMTP server is unavailable, and is sent afterwards with a valid code', async () => {
    await given.replaceSmtp(undefined)
    await given.start()
    const event = await given.verificationRequested()
    await expect.poll(async () => (await given.delivery(event.id))?.attempts).toBeGreaterThan(3)
    expect(await given.stateOf(event.id)).toBe('queued')
    expect(given.settled).toEqual([])
    await given.replaceSmtp({})
    await isSent(event.id)
    expect(given.smtp().received).toHaveLength(1)
    expect(partOf(given.smtp().received[0], 'text/plain')).toContain(given.auth.issued.at(-1)?.secret)
  })

  it('waits while auth is unavailable', async () => {
    given.auth.working = false
    await given.start()
    const event = await given.verificationRequested()
    await expect.poll(async () => (await given.delivery(event.id))?.attempts).toBeGreaterThan(1)
    expect(given.smtp().offered).toEqual([])
    given.auth.working = true
    await isSent(event.id)
  })

  it('is given up after its deadline, and the failure is not attributed to the address', async () => {
    await given.replaceSmtp(undefined)
    await given.start({ ...quick, giveUpMs: 0 })
    const event = await given.verificationRequested()
    await expect.poll(() => given.stateOf(event.id)).toBe('failed')
    const told = { kind: 'verification', subjectId: event.data.verificationId, outcome: 'failed', reason: null }
    await expect.poll(() => given.settled).toEqual([told])
  })

  it('is not sent when its recipient no longer exists, and no data of the recipient is kept', async () => {
    await given.start()
    given.auth.working = false
    const event = await given.verificationRequested()
    given.auth.users.clear()
    given.auth.working = true
    await expect.poll(() => given.stateOf(event.id)).toBe('dropped')
    expect(given.smtp().offered).toEqual([])
    const row = JSON.stringify(await given.delivery(event.id))
    expect(row).not.toContain(event.data.userId)
    expect(row).not.toContain(event.data.verificationId)
    const next = await given.verificationRequested()
    await given.bus.publish([event])
    await isSent(next.id)
    await expect.poll(() => given.settled).toHaveLength(1)
    expect(given.settled[0]?.subjectId).toBe(next.data.verificationId)
  })

  it('is taken over from a replica that died while sending', async () => {
    const first = await given.start()
    await first.stop(500)
    const subject = newId()
    given.auth.users.set(subject, { to: 'ann@example.test', username: 'ann', locale: 'en' })
    await given.query(
      `insert into deliveries (event_id, kind, subject_id, attempts, claimed_until)
       values ('e1', 'verification', $1, 1, now() - interval '1 second')`,
      [subject],
    )
    await given.start()
    await isSent('e1')
  })
})

describe('a hostile recipient', () => {
  const to = 'ann@example.test'
  it.each([
    'a"><img src=https://evil.test/x>',
    'ann\r\nBcc: evil@evil.test\r\n\r\nhello',
    'evil@evil.test, more@evil.test',
    '=?utf-8?q?=0D=0ABcc:_evil@evil.test?=',
  ])('named %j is mailed at one mailbox only, with the name shown as text', async (username) => {
    await given.start()
    const event = await given.verificationRequested({ to, username })
    await isSent(event.id)
    const [mail] = given.smtp().received
    expect(given.smtp().offered).toEqual([to])
    expect(mail?.to).toEqual([to])
    expect(headerOf(mail, 'Bcc')).toBeUndefined()
    expect(headerOf(mail, 'Cc')).toBeUndefined()
    expect(headerOf(mail, 'Subject')).toMatch(/^\d{6} is your Parley verification code$/)
    expect(partOf(mail, 'text/html')).not.toContain('<img')
    expect(
      partOf(mail, 'text/plain')
        .split('\n')
        .filter((line) => line.startsWith('Hello')),
    ).toHaveLength(1)
  })
})

describe('an address', () => {
  it.each([
    '"a@evil.test x"@corp.test',
    'a@evil.test, ann@corp.test',
    'a@evil.test ann@corp.test',
    'ann@corp.test>\r\nRCPT TO:<a@evil.test',
    'ann@corp.test <a@evil.test>',
  ])('such as %j that hides another one gets no mail, nor does the hidden one', async (to) => {
    await given.start()
    const event = await given.verificationRequested({ to })
    await expect.poll(() => given.stateOf(event.id)).toBe('failed')
    expect(given.smtp().offered.filter((address) => address.endsWith('evil.test'))).toEqual([])
    expect(given.smtp().received).toEqual([])
    expect(String((await given.delivery(event.id))?.last_error)).not.toContain('evil')
  })
})

describe('the service', () => {
  it('serves health and metrics only, and counts its mails', async () => {
    const { url } = await given.start()
    const event = await given.verificationRequested()
    await isSent(event.id)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await fetch(`${url}/api/mails`)).status).toBe(401)
    const figures = async () => (await fetch(`${url}/metrics`)).text()
    await expect
      .poll(figures)
      .toContain('notifier_mails_settled_total{kind="verification",outcome="sent",service="notifier"} 1')
    expect(await figures()).toContain('notifier_mails_queued')
    expect(await figures()).toContain('notifier_oldest_mail_seconds')
  })
})
