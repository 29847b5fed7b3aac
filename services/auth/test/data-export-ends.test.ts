import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { authRoutes, type EventOf, exportingServices } from '@parley/contracts'
import { newId } from '@parley/kit'
import { testEvent } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, fetchCode, givenUser, goodPassword } from './browser.ts'
import { askForExport, bring, bringRest, download, givenExport, issueLink } from './given-export.ts'
import { startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const otherPassword = 'purple tractors hum softly'
const piecesOf = (id: string) => auth.sql('select path from data_export_pieces where export_id = $1', [id])
const lastOf = async (browser: Browser) => (await browser.call(authRoutes.dataExport)).body
const files = [{ path: 'chats/1.md', text: 'secret' }]

type Settled = EventOf<'notifier.mail-settled'>['data']
const settle = (subjectId: string, parts: Partial<Settled> = {}) => {
  const data: Settled = { kind: 'data-export', subjectId, outcome: 'failed', reason: null, ...parts }
  return auth.bus.publish([testEvent('notifier.mail-settled', subjectId, data)])
}

describe('a copy that was ready', () => {
  const changes: Record<string, (given: Awaited<ReturnType<typeof givenUser>>) => Promise<void>> = {
    async password({ browser }) {
      const body = { currentPassword: goodPassword, newPassword: otherPassword }
      expect((await browser.call(authRoutes.changePassword, body)).status).toBe(200)
    },
    async address({ browser, username, email }) {
      const body = { username, newEmail: `new-${email}`, password: goodPassword }
      expect((await browser.call(authRoutes.updateEmail, body)).status).toBe(200)
      const code = await fetchCode(auth, username)
      expect((await browser.call(authRoutes.verifyEmail, { username, code })).status).toBe(200)
    },
  }
  it.each(Object.entries(changes))(
    'a ready export expires with another %s, and a new one can be requested',
    async (_what, change) => {
      const [given, other] = [await givenUser(auth), await givenUser(auth)]
      const id = await givenExport(auth, given.browser, files)
      const kept = await givenExport(auth, other.browser, files)
      const { token } = (await issueLink(auth, id)).body
      expect((await download(auth, id, token)).status).toBe(200)
      await change(given)
      expect((await download(auth, id, token)).status).toBe(404)
      expect((await issueLink(auth, id)).status).toBe(404)
      expect(await piecesOf(id)).toEqual([])
      expect(await lastOf(given.browser)).toMatchObject({ dataExport: { id, state: 'expired' }, nextAllowedAt: null })
      const second = await givenExport(auth, given.browser)
      const { status } = await download(auth, second, (await issueLink(auth, second)).body.token)
      expect(status).toBe(200)
      expect((await given.browser.call(authRoutes.requestDataExport)).status).toBe(429)
      expect((await download(auth, kept, (await issueLink(auth, kept)).body.token)).status).toBe(200)
    },
  )

  it('a download of an export that expires meanwhile is cut, and does not end as a ZIP that lacks files', async () => {
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    const run = newId()
    // More than the buffers on the way hold.
    for (let call = 0; call < 12; call += 1) {
      const pieces = [0, 1, 2].map((n) => ({ path: `files/${call}-${n}.png`, text: newId().repeat(32_768) }))
      await bring(auth, id, 'chat', { run, call, pieces, last: call === 11 })
    }
    await bringRest(auth, id, 'chat')
    const { token } = (await issueLink(auth, id)).body
    const params = { params: { id }, body: { token } }
    const { body } = await auth.api.as(await browser.principal()).stream(authRoutes.downloadDataExport, params)
    await once(body, 'readable')
    await browser.call(authRoutes.changePassword, { currentPassword: goodPassword, newPassword: otherPassword })
    await expect(buffer(body)).rejects.toThrow()
  })

  it('an export that is not ready yet continues when the password changes', async () => {
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    await browser.call(authRoutes.changePassword, { currentPassword: goodPassword, newPassword: otherPassword })
    for (const service of exportingServices) expect(await bring(auth, id, service)).toBe(204)
    expect((await download(auth, id, (await issueLink(auth, id)).body.token)).status).toBe(200)
  })
})

describe('an export whose owner cannot be notified fails without a cooldown', () => {
  it('an export fails if its mail failed, and only then', async () => {
    const [given, other] = [await givenUser(auth), await givenUser(auth)]
    const [id, sent] = [await givenExport(auth, given.browser, files), await givenExport(auth, other.browser, files)]
    await settle(sent, { outcome: 'sent' })
    await settle(sent, { kind: 'verification' })
    await settle(id, { reason: '550 unknown' })
    await settle(id)
    const state = async () => (await lastOf(given.browser)).dataExport?.state
    await expect.poll(state).toBe('failed')
    expect(await piecesOf(id)).toEqual([])
    expect((await given.browser.call(authRoutes.requestDataExport)).status).toBe(202)
    await expect.poll(async () => (await auth.bus.lag(['auth.audit']))['auth.audit']).toBe(0)
    expect((await lastOf(other.browser)).dataExport).toMatchObject({ id: sent, state: 'ready' })
  })

  it('an export fails if the address is no longer confirmed when all data is there', async () => {
    const heard = await auth.listen()
    const { browser, username, email, user } = await givenUser(auth)
    const id = await askForExport(browser)
    await browser.call(authRoutes.updateEmail, { username, newEmail: `new-${email}`, password: goodPassword })
    for (const service of exportingServices) expect(await bring(auth, id, service)).toBe(204)
    expect(await lastOf(browser)).toMatchObject({ dataExport: { id, state: 'failed' }, nextAllowedAt: null })
    expect(await piecesOf(id)).toEqual([])
    await browser.call(authRoutes.verifyEmail, { username, code: await fetchCode(auth, username) })
    const second = await givenExport(auth, browser)
    const ready = () =>
      heard.flatMap(({ type, key, data }) => (type === 'auth.data-export-ready' && key === user._id ? [data] : []))
    await expect.poll(ready).toEqual([{ userId: user._id, exportId: second }])
  })

  it('an export fails if the address is no longer confirmed when the mail is written', async () => {
    const { browser, username } = await givenUser(auth)
    const id = await givenExport(auth, browser, files)
    await auth.sql('update users set email_verified = false where username = $1', [username])
    expect((await issueLink(auth, id)).status).toBe(404)
    expect(await lastOf(browser)).toMatchObject({ dataExport: { id, state: 'failed' }, nextAllowedAt: null })
    expect(await piecesOf(id)).toEqual([])
  })
})
