import { authRoutes, type EventOf, type User } from '@parley/contracts'
import { newId } from '@parley/kit'
import { testEvent } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchCode, givenRegistration, givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'
import { waiting } from './waiting.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

type Settled = EventOf<'notifier.mail-settled'>['data']
const outcomeFor = async (browser: ReturnType<typeof openBrowser>): Promise<string | number> => {
  const { status, body } = await browser.call(authRoutes.verificationMail)
  return status === 200 ? body.outcome : status
}
const openVerification = async (username: string): Promise<string> => {
  const [row] = await auth.sql<{ id: string }>(
    'select v.id from verifications v join users u on u.id = v.user_id where username = $1 and closed_at is null',
    [username],
  )
  return row?.id ?? 'none'
}
const settle = (subjectId: string, outcome: Settled['outcome'], reason: string | null = null) => {
  const data: Settled = { kind: 'verification', subjectId, outcome, reason }
  return testEvent('notifier.mail-settled', subjectId, data)
}
async function givenMailed() {
  const registered = await givenRegistration(auth)
  return { ...registered, verificationId: await openVerification(registered.username) }
}
const problemOf = async (username: string): Promise<unknown> => {
  const [row] = await auth.sql<{ email_problem: unknown }>('select email_problem from users where username = $1', [
    username,
  ])
  return row?.email_problem
}
/** Resolves once all published outcomes have been handled. */
const handled = () => expect.poll(async () => (await auth.bus.lag(['auth.audit']))['auth.audit']).toBe(0)

describe('the delivery of the mail with a code', () => {
  it('the mail with a code is shown as waiting, then as sent, only to the browser that registered', async () => {
    const { browser, verificationId } = await givenMailed()
    expect([await outcomeFor(browser), await outcomeFor(openBrowser(auth))]).toEqual(['waiting', 404])
    await auth.bus.publish([settle(verificationId, 'sent')])
    await expect.poll(() => outcomeFor(browser)).toBe('sent')
  })

  it('a refused mail with a code is shown as failed, in our own words, also if its event is delivered twice', async () => {
    const { browser, username, verificationId } = await givenMailed()
    const refused = settle(verificationId, 'failed', '550 5.1.1 <secret@internal> unknown; see http://evil.example')
    await auth.bus.publish([refused, { ...refused, id: newId() }])
    await expect.poll(() => outcomeFor(browser)).toBe('failed')
    expect(await problemOf(username)).toBe(
      'The mail server of this address refuses our messages. Please check the address, or use another one.',
    )
  })

  it('a mail with a code that was not delivered within a day has its own message', async () => {
    const { username, verificationId } = await givenMailed()
    await auth.bus.publish([settle(verificationId, 'failed')])
    await expect.poll(() => problemOf(username)).toContain('couldn’t be delivered')
  })

  it('a failed mail is no problem of the address once another code has been sent to it', async () => {
    const { browser, username, verificationId } = await givenMailed()
    await auth.sql("update verifications set created_at = created_at - interval '1 day' where id = $1", [
      verificationId,
    ])
    expect((await browser.call(authRoutes.resendVerification, { username })).status).toBe(200)
    await auth.bus.publish([settle(await openVerification(username), 'sent'), settle(verificationId, 'failed')])
    await handled()
    expect(await problemOf(username)).toBeNull()
  })

  it('the outcome of a mail is forgotten when the address changes, and waiting for the new one', async () => {
    const { browser, username, verificationId } = await givenMailed()
    await auth.bus.publish([settle(verificationId, 'failed', 'refused')])
    await expect.poll(() => problemOf(username)).not.toBeNull()
    await browser.call(authRoutes.updateEmail, { username, newEmail: `other-${username}@example.test` })
    expect([await problemOf(username), await outcomeFor(browser)]).toEqual([null, 'waiting'])
    // The old address comes back again, later than the change.
    const current = await openVerification(username)
    await auth.bus.publish([settle(current, 'sent')])
    await expect.poll(() => outcomeFor(browser)).toBe('sent')
    await auth.bus.publish([settle(verificationId, 'failed', 'refused')])
    await handled()
    expect(await problemOf(username)).toBeNull()
  })

  it('the outcome of a mail is forgotten when the address is confirmed after all', async () => {
    const { browser, username, verificationId } = await givenMailed()
    await auth.bus.publish([settle(verificationId, 'failed', 'refused')])
    await expect.poll(() => problemOf(username)).not.toBeNull()
    await browser.call(authRoutes.verifyEmail, { username, code: await fetchCode(auth, username) })
    expect(await browser.call(authRoutes.profile)).toMatchObject({ body: { user: { emailProblem: null } } })
    await auth.bus.publish([settle(verificationId, 'failed', 'refused')])
    await handled()
    expect(await problemOf(username)).toBeNull()
  })

  it('the outcome of a mail locks the user before the verification, like entering a code', async () => {
    const { browser, username, verificationId } = await givenMailed()
    const release = await auth.hold(`select from users where username = '${username}' for update`)
    await auth.bus.publish([settle(verificationId, 'sent')])
    await expect.poll(() => waiting(auth)).toBe(1)
    // The verification is still free.
    expect(await fetchCode(auth, username)).toMatch(/^\d{6}$/)
    await release()
    await expect.poll(() => outcomeFor(browser)).toBe('sent')
  })

  it('a hundred codes are accepted concurrently with the outcomes of their mails', async () => {
    const registered = await Promise.all(Array.from({ length: 100 }, givenMailed))
    const coded = await Promise.all(
      registered.map(async (each) => ({ ...each, code: await fetchCode(auth, each.username) })),
    )
    const verifying = coded.map(({ browser, username, code }) =>
      browser.call(authRoutes.verifyEmail, { username, code }),
    )
    await auth.bus.publish(coded.map(({ verificationId }) => settle(verificationId, 'sent')))
    const statuses = (await Promise.all(verifying)).map(({ status }) => status)
    expect(statuses).toEqual(Array(100).fill(200))
    await expect.poll(async () => (await auth.bus.lag(['auth.audit']))['auth.audit']).toBe(0)
  })

  it('a signed-in user is told that the new address refuses mails', async () => {
    const { browser, username } = await givenUser(auth)
    await browser.call(authRoutes.updateEmail, {
      ...{ username, newEmail: `bad-${username}@example.test`, password: goodPassword },
    })
    await auth.bus.publish([settle(await openVerification(username), 'failed', 'refused')])
    const problem = async () =>
      ((await browser.call(authRoutes.profile)).body as { user: User }).user.emailProblem ?? ''
    await expect.poll(problem).toContain('refuses our messages')
  })
})
