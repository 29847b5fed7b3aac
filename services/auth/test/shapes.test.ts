import { authAdminRoutes, authRoutes, type Principal } from '@parley/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen, givenSuperAdmin, givenUser, goodPassword, openBrowser } from './browser.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
let root: Principal
beforeAll(async () => {
  auth = await startAuthAlone()
  const { browser } = await givenSuperAdmin(auth, adminPassword)
  root = await browser.principal()
})
afterAll(() => auth.stop())

describe('the response about', () => {
  it('a user has rights, address, whether it is confirmed, and preferences that save chats', async () => {
    const { username, email } = await givenUser(auth)
    const { body } = await openBrowser(auth).call(authRoutes.login, { identifier: username, password: goodPassword })
    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      emailVerificationRequired: false,
      user: expect.objectContaining({
        email,
        emailVerified: true,
        isAdmin: false,
        isSuperAdmin: false,
        isBanned: false,
        preferences: expect.objectContaining({ defaultModel: null, autoSaveChats: true }),
      }),
    })
    const registered = await openBrowser(auth).call(authRoutes.register, chosen())
    expect(registered.body).toEqual({ user: expect.anything(), emailVerificationRequired: true })
  })

  it('a user in the admins’ list has an _id and whether they are banned', async () => {
    const { user, username } = await givenUser(auth)
    const listed = async () =>
      (await auth.api.as(root).call(authAdminRoutes.users, { query: { query: username } })).body.users
    expect(await listed()).toMatchObject([{ _id: user._id, banned: false }])
    const body = { banned: true }
    await auth.api.as(root).call(authAdminRoutes.updateUser, { params: { id: user._id }, body })
    expect(await listed()).toMatchObject([{ _id: user._id, banned: true }])
  })

  it('the statistics of all users has five counts, and what the last week added to two of them', async () => {
    const { stats } = (await auth.api.as(root).call(authAdminRoutes.stats)).body
    const five = ['activeToday', 'bannedUsers', 'localUsers', 'oauthUsers', 'totalUsers']
    const counts = [...five, 'newUsers', 'newlyBanned'].sort()
    expect(Object.keys(stats).sort()).toEqual(counts)
    expect(Object.values(stats).every((count) => Number.isInteger(count))).toBe(true)
  })

  it('the settings starts with registration on, by both names, 2 messages for guests and a warning at 80 percent', async () => {
    expect((await auth.api.as(root).call(authAdminRoutes.settings)).body).toMatchObject({
      registrationEnabled: true,
      registration: { local: true, oauth: true },
      guest: { weeklyLimit: 2 },
      creditWarningThreshold: 80,
    })
  })
})
