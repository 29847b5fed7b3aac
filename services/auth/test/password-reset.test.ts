import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, chosen, givenRegistration, givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'
import { waiting } from './waiting.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const otherPassword = 'purple tractors hum softly'
const invalid = 'Invalid or expired reset link. Links expire after 30 minutes.'
const ask = (email: string, browser = openBrowser(auth)) => browser.call(authRoutes.requestPasswordReset, { email })
const confirm = (token: unknown, email: unknown, newPassword: unknown = otherPassword, browser = openBrowser(auth)) =>
  browser.call(authRoutes.confirmPasswordReset, { token, email, newPassword })
const signIn = async (identifier: string, password: string, browser = openBrowser(auth)): Promise<number> =>
  (await browser.call(authRoutes.login, { identifier, password })).status
const issue = (id: string) =>
  auth.api.as(servicePrincipal('notifier')).call(authInternalRoutes.issuePasswordReset, { params: { id } })
const lastRequest = async (userId: string): Promise<string> => {
  const rows = await auth.sql<{ id: string }>(
    'select id from password_resets where user_id = $1 order by created_at desc limit 1',
    [userId],
  )
  return rows[0]?.id ?? 'none'
}
/** The token that notifier would mail. */
async function mailedToken(user: { readonly _id: string; readonly email: string }): Promise<string> {
  await ask(user.email)
  const issued = await issue(await lastRequest(user._id))
  if (issued.status !== 200) throw new Error(`no token: ${issued.text}`)
  return issued.body.token
}
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.principal()).kind === 'user'

it('a sign-in under way with the former password of an unconfirmed account gives no right to enter codes', async () => {
  const { id, username, email, password } = await givenRegistration(auth)
  const token = await mailedToken({ _id: id, email })
  const intruder = openBrowser(auth)
  const release = await auth.hold('lock table settings in access exclusive mode')
  const signingIn = intruder.call(authRoutes.login, { identifier: username, password })
  await expect.poll(() => waiting(auth)).toBe(1)
  expect((await confirm(token, email)).status).toBe(200)
  await release()
  expect(await signingIn).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  expect(intruder.cookie('pending')).toBeUndefined()
  expect(await auth.sql('select 1 from pending_sign_ins where user_id = $1', [id])).toEqual([])
})

describe('asking for a new password', () => {
  it('a request for a new password has the same response for every address, and its event has no address or token', async () => {
    const { user } = await givenUser(auth)
    const heard = await auth.listen()
    const before = new Set((await auth.sql<{ id: string }>('select id from password_resets')).map(({ id }) => id))
    const known = await ask(user.email.toUpperCase())
    const unknown = await ask('nobody-at-all@example.test')
    expect([known.status, known.text]).toEqual([200, unknown.text])
    expect(known.headers['set-cookie']).toBeUndefined()
    const told = () => heard.filter(({ type, key }) => type === 'auth.password-reset-requested' && !before.has(key))
    await expect.poll(told).toHaveLength(2)
    for (const { data, key } of told()) expect(data).toEqual({ resetId: key })
    const kept = JSON.stringify([
      await auth.sql('select * from password_resets'),
      await auth.sql('select * from sign_in_tries'),
    ])
    expect(kept).toContain(user._id)
    expect(kept).not.toContain('nobody-at-all')
  })

  it('a request for a new password gets no link for an unknown address', async () => {
    const before = await auth.sql<{ id: string }>('select id from password_resets where user_id is null')
    await ask('nobody-here@example.test')
    const after = await auth.sql<{ id: string }>('select id from password_resets where user_id is null')
    const made = after.filter(({ id }) => !before.some((row) => row.id === id))
    expect(made).toHaveLength(1)
    expect((await issue(made[0]?.id ?? '')).status).toBe(404)
  })

  it('three links for a new password are mailed an hour per account, without revealing it, and three more for a trusted device', async () => {
    const { user, browser } = await givenUser(auth)
    const requests = async () =>
      (await auth.sql('select id from password_resets where user_id = $1', [user._id])).length
    const answers = []
    for (let n = 0; n < 5; n += 1) answers.push(await ask(user.email))
    expect(await requests()).toBe(3)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    await ask(user.email, browser)
    expect(await requests()).toBe(4)
    await auth.sql(`update sign_in_tries set resets_at = now() where key like 'reset:%'`)
    await ask(user.email)
    expect(await requests()).toBe(5)
  })

  it('twenty links for a new password are mailed an hour per network', async () => {
    const browser = openBrowser(auth)
    const count = async () => (await auth.sql('select id from password_resets')).length
    const before = await count()
    for (let n = 0; n < 22; n += 1) expect((await ask(`n${n}@example.test`, browser)).status).toBe(200)
    expect(await count()).toBe(before + 20)
  })
})

describe('a mailed link', () => {
  it('a mailed link sets the password once, ends all sessions and pending codes, and notifies the owner', async () => {
    const { user, browser, username } = await givenUser(auth)
    const heard = await auth.listen()
    const signals: string[] = []
    const forget = auth.signal.subscribe('principal-changed', ({ userId }) => signals.push(userId))
    const token = await mailedToken(user)
    expect(await confirm(token, user.email)).toMatchObject({ status: 200 })
    expect(await isSignedIn(browser)).toBe(false)
    expect((await browser.call(authRoutes.refresh)).status).toBe(401)
    expect([await signIn(username, goodPassword), await signIn(username, otherPassword)]).toEqual([401, 200])
    await expect.poll(() => signals).toContain(user._id)
    await expect.poll(() => heard.map(({ type }) => type)).toContain('auth.password-changed')
    expect(await confirm(token, user.email, 'yet another password')).toMatchObject({
      status: 400,
      body: { error: invalid },
    })
    expect(await signIn(username, otherPassword)).toBe(200)
    forget()
  })

  it('of two passwords set concurrently by a mailed link one is accepted', async () => {
    const { user, username } = await givenUser(auth)
    const token = await mailedToken(user)
    const passwords = ['the first of two passwords', 'the second of two passwords']
    const answers = await Promise.all(passwords.map((password) => confirm(token, user.email, password)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const won = passwords[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect(await signIn(username, won)).toBe(200)
  })

  it('a mailed link is only valid for its address', async () => {
    const [mine, theirs] = [await givenUser(auth), await givenUser(auth)]
    const token = await mailedToken(mine.user)
    expect((await confirm(token, theirs.user.email)).body).toMatchObject({ code: 'validation_failed', error: invalid })
    for (const { username } of [mine, theirs]) expect(await signIn(username, goodPassword)).toBe(200)
    expect((await confirm(token, mine.user.email.toUpperCase())).status).toBe(200)
  })

  it('a mailed link expires 30 minutes after it was created, by the database’s clock', async () => {
    const { user, username } = await givenUser(auth)
    const token = await mailedToken(user)
    const age = (interval: string) =>
      auth.sql('update password_resets set token_expires_at = token_expires_at - $2::interval where user_id = $1', [
        user._id,
        interval,
      ])
    const [row] = await auth.sql<{ minutes: number }>(
      'select extract(epoch from token_expires_at - now())::float8 / 60 as minutes from password_resets where user_id = $1',
      [user._id],
    )
    expect(row?.minutes).toBeGreaterThan(29)
    expect(row?.minutes).toBeLessThanOrEqual(30)
    await age('30 minutes')
    expect((await confirm(token, user.email)).body).toMatchObject({ error: invalid })
    expect(await signIn(username, goodPassword)).toBe(200)
  })

  it('a mailed link expires with a newer request, even before that one’s mail is written', async () => {
    const { user } = await givenUser(auth)
    const token = await mailedToken(user)
    await ask(user.email)
    expect((await confirm(token, user.email)).status).toBe(400)
  })

  it('a link that is mailed again replaces the previous one', async () => {
    const { user } = await givenUser(auth)
    const first = await mailedToken(user)
    const second = (await issue(await lastRequest(user._id))).body.token
    expect((await confirm(first, user.email)).status).toBe(400)
    expect((await confirm(second, user.email)).status).toBe(200)
  })

  it('a mailed link expires with a change of the address and with a change of the password', async () => {
    for (const change of [
      (browser: Browser, username: string) =>
        browser.call(authRoutes.updateEmail, {
          ...{ username, newEmail: `new-${username}@example.test`, password: goodPassword },
        }),
      (browser: Browser) =>
        browser.call(authRoutes.changePassword, { currentPassword: goodPassword, newPassword: 'set in the profile' }),
    ]) {
      const { user, username, browser } = await givenUser(auth)
      const token = await mailedToken(user)
      expect((await change(browser, username)).status).toBe(200)
      expect((await confirm(token, user.email)).status).toBe(400)
      expect((await confirm(token, `new-${username}@example.test`)).status).toBe(400)
      expect((await issue(await lastRequest(user._id))).status).toBe(404)
    }
  })

  it('a link is mailed within a day of its request, however often that is tried, and not later', async () => {
    const { user } = await givenUser(auth)
    await mailedToken(user)
    const id = await lastRequest(user._id)
    const issuedAfter = async (age: string): Promise<number> => {
      await auth.sql(`update password_resets set created_at = now() - interval '${age}' where id = $1`, [id])
      return (await issue(id)).status
    }
    expect([await issuedAfter('23 hours'), await issuedAfter('25 hours')]).toEqual([200, 404])
  })

  it('a mailed link is stored only as a hash, and returned only to notifier', async () => {
    const { user } = await givenUser(auth)
    const token = await mailedToken(user)
    const tables = ['password_resets', 'outbox', 'sign_in_tries', 'audit', 'sessions']
    const kept = await Promise.all(
      tables.map((table) => auth.sql(`select to_jsonb(t)::text as row, t.*::text as plain from ${table} t`)),
    )
    expect(JSON.stringify(kept)).toContain(user._id)
    expect(JSON.stringify(kept)).not.toContain(token)
    expect(JSON.stringify(kept)).not.toContain(Buffer.from(token).toString('hex'))
    expect(
      (
        await auth.api
          .as(await openBrowser(auth).principal())
          .call(authInternalRoutes.issuePasswordReset, { params: { id: 'any' } })
      ).status,
    ).toBe(401)
  })

  it('a mailed link sets the password of a banned user, who stays banned', async () => {
    const { user, username } = await givenUser(auth)
    await auth.sql('update users set banned_at = now() where id = $1', [user._id])
    expect((await confirm(await mailedToken(user), user.email)).status).toBe(200)
    const answer = await openBrowser(auth).call(authRoutes.login, { identifier: username, password: otherPassword })
    expect(answer.body).toMatchObject({ user: { isBanned: true } })
  })

  it('a mailed link confirms the address, after which the browser that registered can no longer use it', async () => {
    const squatter = openBrowser(auth)
    const choice = chosen()
    await squatter.call(authRoutes.register, choice)
    const [row] = await auth.sql<{ id: string }>('select id from users where username = $1', [choice.username])
    const token = await mailedToken({ _id: row?.id ?? '', email: choice.email })
    expect((await confirm(token, choice.email)).status).toBe(200)
    expect(await auth.sql('select email_verified, email_problem from users where id = $1', [row?.id])).toEqual([
      { email_verified: true, email_problem: null },
    ])
    const taken = await squatter.call(authRoutes.updateEmail, {
      username: choice.username,
      newEmail: 'mine@example.test',
    })
    expect(taken.status).toBe(401)
    expect(await signIn(choice.username, otherPassword)).toBe(200)
  })

  it('a mailed link sets the first password of a user', async () => {
    const { user, username, browser } = await givenUser(auth)
    await auth.sql('delete from credentials where user_id = $1', [user._id])
    expect((await browser.call(authRoutes.profile)).body).toMatchObject({ user: { hasPassword: false } })
    await confirm(await mailedToken(user), user.email)
    const answer = await openBrowser(auth).call(authRoutes.login, { identifier: username, password: otherPassword })
    expect(answer.body).toMatchObject({ user: { hasPassword: true } })
  })

  it('a mailed link lets a locked-out owner sign in, from the browser that used it', async () => {
    const { user, username } = await givenUser(auth)
    const attack = () => Promise.all(Array.from({ length: 25 }, () => signIn(username, 'a wrong password')))
    await attack()
    expect(await signIn(username, goodPassword)).toBe(429)
    const owner = openBrowser(auth)
    await confirm(await mailedToken(user), user.email, otherPassword, owner)
    await attack()
    expect([await signIn(username, otherPassword, owner), await signIn(username, otherPassword)]).toEqual([200, 429])
  })

  it.each(['password', 'Password1', '  SUNSHINE  '])(
    'a mailed link does not set the common password %j',
    async (password) => {
      const { user } = await givenUser(auth)
      const token = await mailedToken(user)
      expect(await confirm(token, user.email, password)).toMatchObject({
        status: 400,
        body: { details: [{ path: 'newPassword', message: expect.stringContaining('too common') }] },
      })
      expect((await confirm(token, user.email)).status).toBe(200)
    },
  )

  it.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['an empty text', ''],
    ['a list', []],
    ['an operator', { $ne: null }],
    ['zero', 0],
    ['white space', ' \t\n'],
    ['NUL', '\0'],
    ['a made-up one', newId()],
  ])('a mailed link whose token is %s sets nothing', async (_what, token) => {
    const { user, username } = await givenUser(auth)
    expect((await confirm(token, user.email)).status).toBe(400)
    await ask(user.email)
    expect((await confirm(token, user.email)).status).toBe(400)
    expect(await signIn(username, goodPassword)).toBe(200)
  })
})

describe('a sign-in with the old password beside a reset', () => {
  const waiting = async () =>
    (await auth.sql(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .length

  it.each(['before', 'after'])(
    'a sign-in with the old password that commits %s a reset has no session',
    async (order) => {
      const { user, username } = await givenUser(auth)
      const token = await mailedToken(user)
      const late = openBrowser(auth)
      const lastLogin = () => auth.sql('select last_login_at from users where id = $1', [user._id])
      const before = await lastLogin()
      const release = await auth.hold(`select 1 from users where id = '${user._id}' for no key update`)
      const acts = [() => signIn(username, goodPassword, late), async () => (await confirm(token, user.email)).status]
      if (order === 'after') acts.reverse()
      const [first, second] = acts as [() => Promise<number>, () => Promise<number>]
      const running = [first()]
      await expect.poll(waiting).toBe(1)
      running.push(second())
      await expect.poll(waiting).toBe(2)
      await release()
      expect(await Promise.all(running)).toEqual(order === 'before' ? [200, 200] : [200, 401])
      expect(await isSignedIn(late)).toBe(false)
      if (order === 'after') expect(await lastLogin()).toEqual(before)
    },
  )
})
