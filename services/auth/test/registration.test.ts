import { authInternalRoutes, authRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

type Alone = Awaited<ReturnType<typeof startAuthAlone>>
let auth: Alone
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const register = (body: unknown) => openBrowser(auth).call(authRoutes.register, body)

describe('register', () => {
  it('a registration creates an account without rights, and no session before the address is confirmed', async () => {
    const run = newId().slice(0, 8)
    const choice = chosen({ email: `Some.One${run}@Example.test` })
    const browser = openBrowser(auth)
    const answer = await browser.call(authRoutes.register, choice)
    expect(answer.status).toBe(201)
    const names = { username: choice.username, email: `some.one${run}@example.test` }
    expect(answer.body).toEqual({
      user: expect.objectContaining({ ...names, ...{ isAdmin: false, isSuperAdmin: false, emailVerified: false } }),
      emailVerificationRequired: true,
    })
    expect(browser.cookie('pending')).toBeDefined()
    expect(browser.cookie('refresh')).toBeUndefined()
    const [row] = await auth.sql('select is_admin, is_super_admin, email_verified from users where username = $1', [
      choice.username,
    ])
    expect(row).toEqual({ is_admin: false, is_super_admin: false, email_verified: false })
  })

  it('an account has the language of the browser that registered, also in mails', async () => {
    const choice = chosen()
    await openBrowser(auth).call(authRoutes.register, choice, { headers: { 'accept-language': 'pt-BR, de-AT;q=0.9' } })
    const [open] = await auth.sql<{ id: string }>(
      'select v.id from verifications v join users u on u.id = v.user_id where u.username = $1',
      [choice.username],
    )
    const issued = await auth.api
      .as(servicePrincipal('notifier'))
      .call(authInternalRoutes.issueCode, { params: { id: open?.id ?? '' } })
    expect(issued.body).toMatchObject({ username: choice.username, locale: 'de' })
  })

  it('the cookies of a registration are HttpOnly, strict and for the account routes only', async () => {
    const answer = await register(chosen())
    expect(answer.headers['set-cookie']).toMatch(
      /^parley_pending_8080=[\w-]{43}; Max-Age=86400; Path=\/api\/auth; HttpOnly; SameSite=Strict$/,
    )
  })

  it('a registration is published and requests a mail, without a code or an address in the events', async () => {
    const heard = await auth.listen()
    const choice = chosen()
    await register(choice)
    const [user] = await auth.sql<{ id: string }>('select id from users where username = $1', [choice.username])
    const mine = () => heard.filter(({ key }) => key === user?.id)
    await expect
      .poll(() => mine().map(({ type }) => type))
      .toEqual(['auth.user-registered', 'auth.verification-requested'])
    expect(JSON.stringify(mine())).not.toContain(choice.email)
  })

  it.each([
    ['isAdmin', true],
    ['isSuperAdmin', true],
    ['emailVerified', true],
    ['credits', 1_000],
    ['_id', 'a'],
  ])('a registration with the extra field %s is 400', async (field, value) => {
    const choice = chosen()
    const answer = await register({ ...choice, [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(await auth.sql('select id from users where username = $1', [choice.username])).toEqual([])
  })

  it.each(['"a@evil.test x"@corp.test', 'a@b.test\r\nBcc: c@d.test', 'a@b', 'a b@c.test', ''])(
    'a registration with the address %j is 400',
    async (email) => {
      expect((await register(chosen({ email }))).status).toBe(400)
    },
  )

  it.each(['ab', 'a b', 'a/b', 'ünder', 'x'.repeat(33), 'a\u0000bc'])(
    'a registration with the username %j is 400',
    async (username) => {
      expect((await register(chosen({ username, email: 'free@example.test' }))).status).toBe(400)
    },
  )

  it.each(['password1', 'Password123', '1234567', 'x'.repeat(129)])(
    'a registration with the password %j is 400',
    async (password) => {
      const answer = await register(chosen({ password }))
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    },
  )

  it('a password is kept exactly, with blanks at its ends, emoji and 128 units', async () => {
    for (const password of ['  leading and trailing  ', '🦜'.repeat(64), 'é'.repeat(128)]) {
      const choice = chosen({ password })
      expect((await register(choice)).status).toBe(201)
      const identifier = choice.username
      const right = await openBrowser(auth).call(authRoutes.login, { identifier, password })
      expect(right.status).toBe(200)
      const trimmed = password.trim() === password ? [...password].slice(1).join('') : password.trim()
      const wrong = await openBrowser(auth).call(authRoutes.login, { identifier, password: trimmed })
      expect(wrong.status).toBe(401)
    }
  })

  it('exactly one of 100 parallel registrations gets a username', async () => {
    const run = newId().slice(0, 8)
    const spelt = (n: number): string => (n % 2 === 0 ? `Contested${run}` : `cOnTESTED${run.toUpperCase()}`)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => register(chosen({ username: spelt(n), email: `c${n}@${run}.test` }))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: 'username_taken' } })
    const rows = await auth.sql('select id from users where lower(username) = $1', [`contested${run}`])
    expect(rows).toHaveLength(1)
  })

  it('exactly one of many spellings registers a mailbox', async () => {
    const run = newId().slice(0, 8)
    const spellings = [
      `jane.doe${run}@gmail.com`,
      `JaneDoe${run}@gmail.com`,
      `j.anedoe${run}@googlemail.com`,
      `JANE.DOE${run.toUpperCase()}@GMAIL.COM`,
    ]
    const answers = await Promise.all(spellings.map((email) => register(chosen({ email }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'email_taken' })
  })
})
