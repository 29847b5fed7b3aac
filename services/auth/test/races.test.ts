import { authAdminRoutes, authRoutes, defaultSettings } from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chosen, givenUser, goodPassword, openBrowser } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())
beforeEach(async () => {
  await auth.sql(`update settings set changes = '{}'`)
})

const waiting = async (): Promise<number> => {
  const [row] = await auth.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.count ?? 0
}

/** The users whose change was signalled from now on. */
function listenToSignals(): string[] {
  const users: string[] = []
  auth.signal.subscribe('principal-changed', ({ userId }) => users.push(userId))
  return users
}

describe('settings', () => {
  it('two concurrent changes of the settings are both kept', async () => {
    const patch = (body: Record<string, unknown>) =>
      auth.api.as(adminPrincipal()).call(authAdminRoutes.updateSettings, { body })
    const release = await auth.hold('select 1 from settings for share')
    const changes = [patch({ guest: { weeklyLimit: 7 } }), patch({ creditWarningThreshold: 60 })]
    await expect.poll(waiting).toBe(2)
    await release()
    for (const change of changes) expect((await change).status).toBe(200)
    expect((await auth.api.as(adminPrincipal()).call(authAdminRoutes.settings)).body).toMatchObject({
      guest: { ...defaultSettings.guest, weeklyLimit: 7 },
      creditWarningThreshold: 60,
    })
  })

  it('a registration that passed the first check before registration was switched off is refused', async () => {
    const account = {
      id: newId(),
      username: 'too-late',
      usernameKey: 'too-late',
      email: 'late@example.test',
      emailKey: 'late@example.test',
      passwordHash: 'hash',
    }
    await auth.sql(`update settings set changes = '{"registration":{"local":false}}'`)
    const outcome = await auth.stores.accounts.register({
      ...account,
      registered: {
        type: 'auth.user-registered',
        id: newId(),
        at: new Date().toISOString(),
        v: 1,
        key: account.id,
        data: { userId: account.id },
      },
      verification: {
        id: newId(),
        requested: {
          type: 'auth.verification-requested',
          id: newId(),
          at: new Date().toISOString(),
          v: 1,
          key: account.id,
          data: { userId: account.id, verificationId: 'v1' },
        },
      },
      pendingHash: Buffer.from('hash'),
    })
    expect(outcome).toBe('registration_disabled')
    expect(await auth.sql(`select id from users where username_key = 'too-late'`)).toEqual([])
  })
})

describe('every replica hears at once', () => {
  it('all replicas learn immediately that a stolen refresh token ended a session', async () => {
    const { browser, user } = await givenUser(auth)
    const thief = browser.copy()
    await browser.call(authRoutes.refresh)
    await auth.sql(`update refresh_tokens set rotated_at = rotated_at - interval '11 seconds'`)
    const heard = listenToSignals()
    expect((await thief.call(authRoutes.refresh)).status).toBe(401)
    await expect.poll(() => heard).toContain(user._id)
  })

  it('all replicas learn immediately that a session was ended from another device', async () => {
    const { browser, user, username } = await givenUser(auth)
    const second = openBrowser(auth)
    await second.call(authRoutes.login, { identifier: username, password: goodPassword })
    const { sessions } = (await second.call(authRoutes.sessions)).body
    const other = sessions.find(({ current }) => !current)
    const heard = listenToSignals()
    const ended = await second.call(authRoutes.endSession, undefined, { params: { id: other?.id ?? '' } })
    expect(ended.status).toBeLessThan(300)
    await expect.poll(() => heard).toContain(user._id)
    expect((await browser.principal()).kind).toBe('guest')
  })
})

describe('an address', () => {
  it('an address that was once confirmed can never be changed without the password', async () => {
    const { username, browser } = await givenUser(auth)
    const change = (newEmail: string, password?: string) =>
      browser.call(authRoutes.updateEmail, { username, newEmail, ...(password && { password }) })
    expect((await change(`first-${username}@example.test`, goodPassword)).status).toBe(200)
    expect(await change(`second-${username}@example.test`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it('no mail is sent to an address that was never confirmed when it is replaced', async () => {
    const heard = await auth.listen()
    const browser = openBrowser(auth)
    const { username, ...choice } = chosen()
    await browser.call(authRoutes.register, { username, ...choice })
    for (const name of ['wrong', 'right']) {
      await browser.call(authRoutes.updateEmail, { username, newEmail: `${name}-${username}@example.test` })
    }
    const [user] = await auth.sql<{ id: string }>('select id from users where username = $1', [username])
    const own = () => heard.filter(({ key }) => key === user?.id).map(({ type }) => type)
    await waitUntil(() => own().length >= 4, 'the events')
    expect(own()).toEqual(['auth.user-registered', ...Array(3).fill('auth.verification-requested')])
  })
})
