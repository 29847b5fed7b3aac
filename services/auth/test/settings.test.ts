import { auditRoutes, authAdminRoutes, authInternalRoutes, authRoutes, defaultSettings } from '@parley/contracts'
import { adminPrincipal, guestPrincipal, servicePrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chosen, openBrowser, type TokenAnswer } from './browser.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())
beforeEach(async () => {
  await auth.sql(`update settings set changes = '{}'`)
})

const admin = () => auth.api.as(adminPrincipal())
const patch = (body: Record<string, unknown>) => admin().call(authAdminRoutes.updateSettings, { body })
const config = async () => (await auth.api.as(guestPrincipal()).call(authRoutes.config)).body
const defaults = { ...defaultSettings, registrationEnabled: true }

describe('settings', () => {
  it('the settings start with the defaults', async () => {
    expect((await admin().call(authAdminRoutes.settings)).body).toEqual({ ...defaults, version: 1 })
    expect(await config()).toEqual({
      registration: { local: true, oauth: true },
      guest: { enabled: true, messageLimit: 2 },
      oauth: { enabled: false, label: null },
      limits: { usernameMin: 3, usernameMax: 32, passwordMin: 8, passwordMax: 128 },
    })
  })

  it('changes of the settings are merged deeply, versioned, signalled and audited', async () => {
    const versions: number[] = []
    auth.signal.subscribe('settings-changed', ({ version }) => versions.push(version))
    const answer = await patch({
      rateLimits: { web: { maxRequests: 5 } },
      guest: { weeklyLimit: 7 },
      storage: { maxChatsPerUser: 0 },
    })
    const expected = {
      ...defaults,
      guest: { enabled: true, weeklyLimit: 7 },
      rateLimits: { ...defaults.rateLimits, web: { windowMinutes: 1, maxRequests: 5 } },
      storage: { ...defaults.storage, maxChatsPerUser: 0 },
    }
    expect(answer).toMatchObject({ status: 200, body: expected })
    const told = await auth.api.as(servicePrincipal('chat')).call(authInternalRoutes.settings)
    expect(told.body.settings).toEqual(expected)
    await expect.poll(() => versions).toEqual([told.body.version])
    expect((await config()).guest.messageLimit).toBe(7)
    const [entry] = (await admin().call(auditRoutes.list)).body.entries
    expect(entry).toMatchObject({
      ...{ action: 'settings.changed', target: { type: 'settings', name: 'Settings' }, reversible: true },
      before: { guest: { weeklyLimit: 2 } },
    })
  })

  it('the version of the settings does not change without a change', async () => {
    const version = async () =>
      (await auth.api.as(servicePrincipal('chat')).call(authInternalRoutes.settings)).body.version
    const before = await version()
    expect((await patch({ creditWarningThreshold: 80 })).status).toBe(200)
    expect(await version()).toBe(before)
  })

  it.each([
    { guest: { weeklyLimit: -1 } },
    { guest: { weeklyLimit: 1.5 } },
    { guest: { weeklyLimit: null } },
    { rateLimits: { web: { windowMinutes: 0 } } },
    { creditWarningThreshold: 101 },
    { systemPrompt: 'x'.repeat(20_001) },
    { storage: { maxChatsPerUser: -1 } },
    { storage: { maxBytesPerUser: 0.5 } },
    { unknown: 1 },
    { registration: { local: 'no' } },
    { registration: null },
  ])('a change of the settings to %j is 400', async (body) => {
    expect((await patch(body)).status).toBe(400)
    expect((await admin().call(authAdminRoutes.settings)).body).toMatchObject(defaults)
  })

  it('a change based on an older version of the settings is 409 with the present ones, and one without a version is not checked', async () => {
    const { version } = (await patch({ guest: { weeklyLimit: 11 } })).body
    const conflict = await patch({ guest: { weeklyLimit: 12 }, version: version - 1 })
    expect(conflict).toMatchObject({
      status: 409,
      body: { code: 'conflict', current: { version, guest: { weeklyLimit: 11 } } },
    })
    const next = await patch({ guest: { weeklyLimit: 13 }, version })
    expect(next).toMatchObject({ status: 200, body: { version: version + 1, guest: { weeklyLimit: 13 } } })
    expect((await patch({ systemPrompt: 'Be brief.' })).body).toMatchObject({ version: version + 2 })
  })

  it('the settings accept both names of registration, also if everything is sent back with one changed', async () => {
    expect((await patch({ registrationEnabled: false })).body).toMatchObject({ registration: { local: false } })
    const { body } = await patch({
      ...defaults,
      registration: { local: true, oauth: true },
      registrationEnabled: false,
    })
    expect(body).toMatchObject({ registration: { local: true }, registrationEnabled: true })
    expect((await patch({ ...body, registrationEnabled: false })).body.registration.local).toBe(false)
  })
})

describe('registration', () => {
  it('a registration is refused while registration is off, and creates nothing', async () => {
    await patch({ registration: { local: false } })
    const choice = chosen()
    const answer = await openBrowser(auth).call(authRoutes.register, choice)
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'registration_disabled', error: 'Registration is currently disabled by the administrator.' },
    })
    expect(await auth.sql('select id from users where username = $1', [choice.username])).toEqual([])
  })

  it('registration is switched off only after registrations in progress are decided', async () => {
    const choice = chosen()
    const release = await auth.hold(`insert into users (id, username, username_key, email, email_key)
      values ('rival', '${choice.username}', '${choice.username}', 'rival@example.test', 'rival@example.test')`)
    const waiting = async (): Promise<number> =>
      (
        await auth.sql(`select pid from pg_locks join pg_database d on d.oid = database or database is null
        where not granted and datname = current_database() group by pid`)
      ).length
    const registering = openBrowser(auth).call(authRoutes.register, choice)
    await expect.poll(waiting).toBe(1)
    const switchingOff = patch({ registrationEnabled: false })
    await expect.poll(waiting).toBe(2)
    await release()
    expect((await registering).status).toBe(201)
    expect((await switchingOff).body).toMatchObject({ registrationEnabled: false })
  })

  it('a registration signs in immediately if no verification is required', async () => {
    await patch({ emailVerificationRequired: false })
    const browser = openBrowser(auth)
    const choice = chosen()
    const answer = await browser.call(authRoutes.register, choice)
    expect(answer).toMatchObject({ status: 201, body: { emailVerificationRequired: false } })
    expect((answer.body as TokenAnswer).user.emailVerified).toBe(false)
    expect(browser.cookie('refresh')).toBeDefined()
    const login = await openBrowser(auth).call(authRoutes.login, {
      identifier: choice.email,
      password: choice.password,
    })
    expect(login.body).toMatchObject({ emailVerificationRequired: false })
  })
})
