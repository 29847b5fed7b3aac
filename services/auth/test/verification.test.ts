import { auditRoutes, authAdminRoutes, authInternalRoutes, authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { resetPassword } from '../src/administration/recovery.ts'
import {
  type Browser,
  fetchCode,
  givenRegistration,
  givenSuperAdmin,
  goodPassword,
  openBrowser,
  otherCode,
} from './browser.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'
import { waiting } from './waiting.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const enter = (browser: Browser, username: string, code: string) =>
  browser.call(authRoutes.verifyEmail, { username, code })
const resend = (browser: Browser, username: string) => browser.call(authRoutes.resendVerification, { username })
const requests = async (userId: string): Promise<number> =>
  (await auth.sql('select id from verifications where user_id = $1', [userId])).length
const letPass = (userId: string, interval: string) =>
  auth.sql(
    `update verifications set created_at = created_at - $2::interval, code_expires_at = code_expires_at - $2::interval
     where user_id = $1`,
    [userId, interval],
  )

describe('a mailed code', () => {
  it('a mailed code confirms the address once and signs the browser in', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    const code = await fetchCode(auth, username)
    const answer = await enter(browser, username, code)
    expect(answer).toMatchObject({ status: 200, body: { user: { _id: id, emailVerified: true } } })
    expect(await auth.sql('select from pending_sign_ins where user_id = $1', [id])).toEqual([])
    expect(browser.cookie('refresh')).toBeDefined()
    expect(browser.cookie('pending')).toBeUndefined()
    expect(await enter(browser, username, code)).toMatchObject({
      status: 400,
      body: { error: 'Invalid or expired code' },
    })
  })

  it('a mailed code is stored only as a hash', async () => {
    const { username, id } = await givenRegistration(auth)
    const code = await fetchCode(auth, username)
    const kept = JSON.stringify(await auth.sql('select * from verifications where user_id = $1', [id]))
    expect(kept).toContain(id)
    expect(kept).not.toContain(code)
  })

  it('a mailed code expires after 10 minutes', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    const code = await fetchCode(auth, username)
    await letPass(id, '10 minutes')
    expect(await enter(browser, username, code)).toMatchObject({
      status: 400,
      body: { error: 'Invalid or expired code' },
    })
  })

  it('a mailed code expires when another one is issued', async () => {
    const { browser, username } = await givenRegistration(auth)
    const first = await fetchCode(auth, username)
    const second = await fetchCode(auth, username)
    if (first !== second) expect((await enter(browser, username, first)).status).toBe(400)
    expect((await enter(browser, username, second)).status).toBe(200)
  })

  it('a mailed code allows 5 attempts, even for 50 in parallel', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    const code = await fetchCode(auth, username)
    const wrong = otherCode(code)
    await Promise.all(Array.from({ length: 50 }, () => enter(browser.copy(), username, wrong)))
    expect(await auth.sql('select wrong_tries from verifications where user_id = $1', [id])).toEqual([
      { wrong_tries: 5 },
    ])
    await auth.sql('delete from code_tries where user_id = $1', [id])
    expect((await enter(browser, username, code)).status).toBe(400)
  })

  it('codes of one account are checked at most 20 times an hour, however many were mailed', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    for (let n = 0; n < 20; n += 1) await enter(browser, username, otherCode(await fetchCode(auth, username)))
    const code = await fetchCode(auth, username)
    const answer = await enter(browser, username, code)
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(answer.headers['retry-after']).toBe('3600')
    await auth.sql(`update code_tries set at = at - interval '1 hour' where user_id = $1`, [id])
    expect((await enter(browser, username, code)).status).toBe(200)
  })

  it('a mailed code is useless without the pending cookie, and with that of another registration', async () => {
    const victim = await givenRegistration(auth)
    const attacker = await givenRegistration(auth)
    const code = await fetchCode(auth, victim.username)
    const answers = [
      await enter(openBrowser(auth), victim.username, code),
      await enter(attacker.browser, victim.username, code),
      await enter(attacker.browser, 'nobody-at-all', code),
    ]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(new Set(answers.map(({ body }) => (body as unknown as { error: string }).error)).size).toBe(1)
    expect((await enter(victim.browser, victim.username, code)).status).toBe(200)
  })

  it('a mailed code can be entered on a second device after signing in there', async () => {
    const { username } = await givenRegistration(auth)
    const second = openBrowser(auth)
    await second.call(authRoutes.login, { identifier: username, password: goodPassword })
    expect((await enter(second, username, await fetchCode(auth, username))).status).toBe(200)
  })

  it.each([
    ['the operator sets another password', (_id: string, username: string) => resetPassword(auth.stores, username)],
    [
      'an admin signs the user out',
      async (id: string) => {
        const root = await (await givenSuperAdmin(auth, adminPassword)).browser.principal()
        return auth.api.as(root).call(authAdminRoutes.endUserSessions, { params: { id } })
      },
    ],
  ])('a mailed code that is entered while %s signs nobody in', async (_what, act) => {
    const { browser, username, id } = await givenRegistration(auth)
    const code = await fetchCode(auth, username)
    const release = await auth.hold(`select 1 from users where id = '${id}' for no key update`)
    const acted = act(id, username)
    await expect.poll(() => waiting(auth)).toBe(1)
    const entered = enter(browser, username, code)
    await expect.poll(() => waiting(auth)).toBe(2)
    await release()
    expect((await entered).status).toBe(401)
    await acted
    expect(browser.cookie('refresh')).toBeUndefined()
    expect(await auth.sql('select from sessions where user_id = $1', [id])).toEqual([])
  })

  it('a code is issued only to services, and only while the verification is open', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    const [open] = await auth.sql<{ id: string }>('select id from verifications where user_id = $1', [id])
    const ask = (caller = auth.api.as(servicePrincipal('notifier'))) =>
      caller.call(authInternalRoutes.issueCode, { params: { id: open?.id ?? '' } })
    expect((await ask(auth.api.as(await browser.principal()))).status).toBe(401)
    const issued = await ask()
    expect(issued.body).toMatchObject({ username, locale: 'en', code: expect.stringMatching(/^\d{6}$/) })
    await enter(browser, username, issued.body.code)
    expect((await ask()).status).toBe(404)
  })
})

describe('resend', () => {
  it('a request for another code has the same response for everybody, and mails one a minute to the claimant', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    const answers = [
      await resend(browser, username),
      await resend(openBrowser(auth), username),
      await resend(browser, 'nobody-at-all'),
    ]
    expect(await requests(id)).toBe(1)
    await letPass(id, '1 minute')
    answers.push(await resend(openBrowser(auth), username))
    expect(await requests(id)).toBe(1)
    answers.push(...(await Promise.all([resend(browser.copy(), username), resend(browser.copy(), username)])))
    expect(await requests(id)).toBe(2)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
  })

  it('at most 20 codes are mailed to an account in a day', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    for (let n = 0; n < 22; n += 1) {
      await letPass(id, '1 minute')
      await resend(browser, username)
    }
    expect(await requests(id)).toBe(20)
    await letPass(id, '1 day')
    await resend(browser, username)
    expect(await requests(id)).toBe(21)
  })

  it('an admin has another code mailed to any user who has not confirmed, one a minute, and it is in the audit log', async () => {
    const root = await (await givenSuperAdmin(auth, adminPassword)).browser.principal()
    const { browser, username, id } = await givenRegistration(auth)
    const ask = (userId: string, by = root) =>
      auth.api.as(by).call(authAdminRoutes.resendVerification, { params: { id: userId } })
    expect(await ask(id)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
      headers: { 'retry-after': '60' },
    })
    await letPass(id, '1 minute')
    const signals: unknown[] = []
    onTestFinished(auth.signal.subscribe('admin-acted', (payload) => signals.push(payload)))
    expect(await ask(id)).toMatchObject({ status: 200, body: { user: { _id: id, emailVerified: false } } })
    await expect.poll(() => signals).toHaveLength(1)
    expect(await requests(id)).toBe(2)
    const { entries } = (await auth.api.as(root).call(auditRoutes.list, { query: { target: id } })).body
    expect(entries).toMatchObject([{ action: 'user.verification-resent', before: null, reversible: false }])
    expect((await enter(browser, username, await fetchCode(auth, username))).status).toBe(200)
    expect(await ask(id)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await ask('nobody-at-all')).status).toBe(404)
    expect((await ask(id, await browser.principal())).status).toBe(403)
  })

  it('another code invalidates the previous one', async () => {
    const { browser, username, id } = await givenRegistration(auth)
    const code = await fetchCode(auth, username)
    await letPass(id, '61 seconds')
    await resend(browser, username)
    expect((await enter(browser, username, code)).status).toBe(400)
  })

  it('a sign-in after the code has expired mails another one', async () => {
    const { username, id } = await givenRegistration(auth)
    const browser = openBrowser(auth, `4:${newId()}`)
    await browser.call(authRoutes.login, { identifier: username, password: goodPassword })
    expect(await requests(id)).toBe(1)
    await letPass(id, '11 minutes')
    await browser.call(authRoutes.login, { identifier: username, password: goodPassword })
    expect(await requests(id)).toBe(2)
  })
})
