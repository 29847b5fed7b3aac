import { authRoutes, exportingServices } from '@parley/contracts'
import { newId } from '@parley/kit'
import { waitUntil } from '@parley/testing'
import { unzip } from '@parley/testing/unzip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chosen, givenSuperAdmin, givenUser, goodPassword, openBrowser } from './browser.ts'
import { askForExport, bring, bringRest, download, follow, givenExport, issueLink } from './given-export.ts'
import { adminPassword, startAuthAlone } from './running-auth.ts'

let auth: Awaited<ReturnType<typeof startAuthAlone>>
beforeAll(async () => {
  auth = await startAuthAlone()
})
afterAll(() => auth.stop())

const daysAgo = (id: string, column: string, days: number) =>
  auth.sql(`update data_exports set ${column} = ${column} - make_interval(days => $2) where id = $1`, [id, days])
const piecesOf = (id: string) => auth.sql('select path from data_export_pieces where export_id = $1', [id])
const reconcile = () => auth.reconcileExports()

describe('requesting a data export', () => {
  it('of 20 concurrent requests for an export one is accepted, and the others get the waiting time', async () => {
    const heard = await auth.listen()
    const { browser, user } = await givenUser(auth)
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.call(authRoutes.requestDataExport)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 202)
    for (const { status, body, headers } of refused) {
      expect([status, body]).toMatchObject([
        429,
        { code: 'cooldown', error: 'Your data can be requested again in 24 hours.' },
      ])
      expect(Number(headers['retry-after'])).toBeGreaterThan(86_000)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400)
    }
    const told = () => heard.filter(({ type, key }) => type === 'auth.data-export-requested' && key === user._id)
    await waitUntil(() => told().length > 0, 'event')
    expect(told()).toHaveLength(1)
  })

  it('an export requires a confirmed address', async () => {
    const { browser, username } = await givenUser(auth)
    await auth.sql('update users set email_verified = false where username = $1', [username])
    const refused = await browser.call(authRoutes.requestDataExport)
    expect(refused).toMatchObject({ status: 403, body: { code: 'email_unverified' } })
    expect(refused.body).toHaveProperty('error', expect.stringContaining('verify your email address'))
  })

  it('another export can be requested after the cooldown, and immediately after a failed one', async () => {
    const root = await (await givenSuperAdmin(auth, adminPassword)).browser.principal()
    const { browser } = await givenUser(auth)
    const first = await askForExport(browser)
    expect((await browser.call(authRoutes.requestDataExport)).status).toBe(429)
    await auth.sql(`update data_exports set requested_at = now() - interval '61 minutes' where id = $1`, [first])
    expect((await browser.call(authRoutes.requestDataExport)).status).toBe(429)
    const patched = await auth.api.as(root).patch('/api/admin/settings', { dataExportCooldownMinutes: 60 })
    expect(patched.status).toBe(200)
    const second = await askForExport(browser)
    expect(second).not.toBe(first)
    await auth.api.as(root).patch('/api/admin/settings', { dataExportCooldownMinutes: 1440 })
    await daysAgo(second, 'requested_at', 1)
    await auth.sql('update data_exports set requested_at = now() where id = $1', [first])
    await auth.sql(`update data_exports set state = 'failed' where id = $1`, [second])
    expect((await browser.call(authRoutes.dataExport)).body.nextAllowedAt).toBeNull()
    expect((await browser.call(authRoutes.requestDataExport)).status).toBe(202)
  })

  it('the progress of an export is shown only to its user', async () => {
    const [{ browser }, other] = [await givenUser(auth), await givenUser(auth)]
    expect((await browser.call(authRoutes.dataExport)).body).toEqual({ dataExport: null, nextAllowedAt: null })
    const id = await askForExport(browser)
    await bring(auth, id, 'billing')
    const told = (await browser.call(authRoutes.dataExport)).body
    expect(told.dataExport).toMatchObject({
      id,
      state: 'collecting',
      expiresAt: null,
      progress: { done: 1, total: exportingServices.length },
    })
    const requestedAt = Date.parse(told.dataExport?.requestedAt ?? '')
    expect(Date.parse(told.nextAllowedAt ?? '') - requestedAt).toBe(86_400_000)
    expect((await other.browser.call(authRoutes.dataExport)).body.dataExport).toBeNull()
    expect((await openBrowser(auth).call(authRoutes.dataExport)).status).toBe(401)
  })
})

describe('the ZIP', () => {
  it('the ZIP of an export contains the files of all services and the account, but no secrets', async () => {
    const heard = await auth.listen()
    const { browser, username, email, user } = await givenUser(auth)
    await browser.call(authRoutes.updateEmail, { username, newEmail: `new-${email}`, password: goodPassword })
    await auth.sql('update users set email_verified = true where username = $1', [username])
    const id = await askForExport(browser)
    const run = newId()
    const files = [
      { path: 'chats/1-Grüße-чат.md', text: '# Grüße' },
      { path: 'files/a b (1).png', piece: 1, text: ' and after' },
    ]
    expect(await bring(auth, id, 'chat', { run, pieces: files, last: false })).toBe(204)
    const rest = [{ path: 'files/a b (1).png', text: 'before' }]
    expect(await bring(auth, id, 'chat', { run, call: 1, pieces: rest })).toBe(204)
    await bring(auth, id, 'billing', { pieces: [{ path: 'billing/account.json', text: '{}' }] })
    await bringRest(auth, id, 'chat', 'billing', 'notifier')
    const told = () => heard.filter(({ type, key }) => type === 'auth.data-export-ready' && key === user._id)
    expect(told()).toEqual([])
    await bring(auth, id, 'notifier', { pieces: [{ path: 'mails.json', text: '[]' }] })
    const ready = await waitUntil(() => told()[0], 'event')
    expect(ready.data).toEqual({ userId: user._id, exportId: id })

    const link = await issueLink(auth, id)
    expect(link.body).toMatchObject({ to: `new-${email}`, username, locale: 'en' })
    expect((Date.parse(link.body.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 2)
    const { status, headers, bytes } = await download(auth, id, link.body.token)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="parley-data-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    const unzipped = await unzip(bytes)
    expect([...unzipped.keys()]).toEqual([
      ...[
        'README.md',
        'account.json',
        'billing/account.json',
        'chats/1-Grüße-чат.md',
        'files/a b (1).png',
        'mails.json',
      ],
    ])
    expect(unzipped.get('files/a b (1).png')?.toString()).toBe('before and after')
    expect(unzipped.get('chats/1-Grüße-чат.md')?.toString()).toBe('# Grüße')
    expect(unzipped.get('README.md')?.toString()).toContain(`**${username}**`)
    const account = JSON.parse(String(unzipped.get('account.json')))
    expect(account).toMatchObject({
      username,
      email: `new-${email}`,
      sessions: [{ userAgent: 'test browser' }],
      emailChanges: [{ from: email, to: `new-${email}` }],
      linkedSignIns: [],
      administration: [],
    })
    const [secret] = await auth.sql('select password_hash from credentials where user_id = $1', [user._id])
    for (const hidden of [String(secret?.password_hash), link.body.token, browser.cookie('refresh') ?? 'none'])
      expect(bytes.includes(hidden) || JSON.stringify(account).includes(hidden)).toBe(false)
    expect(JSON.stringify(account)).not.toMatch(/hash|\$argon2/)
  })

  it('the ZIP of an admin contains their actions, and only the ids of other users', async () => {
    const root = await givenSuperAdmin(auth, adminPassword)
    await auth.sql(`update data_exports set requested_at = requested_at - interval '1 day' where user_id = $1`, [
      root.user._id,
    ])
    const victim = await givenUser(auth)
    const body = { banned: true }
    await auth.api.as(await root.browser.principal()).patch(`/api/admin/users/${victim.user._id}`, body)
    const id = await givenExport(auth, root.browser)
    const { bytes } = await download(auth, id, (await issueLink(auth, id)).body.token)
    const text = String((await unzip(bytes)).get('account.json'))
    expect(JSON.parse(text).administration).toContainEqual(
      expect.objectContaining({ action: 'user.banned', target: victim.user._id }),
    )
    expect(text).not.toContain(victim.username)
  })

  it('the ZIP of an export omits files that do not fit, and says so', async () => {
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    const run = newId()
    await bring(auth, id, 'chat', { run, pieces: [{ path: 'files/large', text: 'begun' }], last: false })
    // As if 100 MB had come already.
    await auth.sql(
      `insert into data_export_pieces (export_id, service, path, piece, data)
       select $1, 'chat', 'files/other', n, decode(repeat('00', 1048576), 'hex') from generate_series(0, 99) as n`,
      [id],
    )
    await auth.sql(`update data_export_pieces set data = 'x' where export_id = $1 and piece = 99`, [id])
    const pieces = [
      { path: 'files/large', piece: 1, text: 'x'.repeat(1024 * 1024) },
      { path: 'files/small', text: 'small' },
    ]
    await bring(auth, id, 'chat', { run, call: 1, pieces, last: false })
    await bring(auth, id, 'chat', { run, call: 2, pieces: [{ path: 'files/large', piece: 2, text: 'end' }] })
    await auth.sql(`delete from data_export_pieces where export_id = $1 and path = 'files/other'`, [id])
    await bringRest(auth, id, 'chat')
    const { bytes } = await download(auth, id, (await issueLink(auth, id)).body.token)
    const unzipped = await unzip(bytes)
    expect([...unzipped.keys()]).toEqual(['README.md', 'account.json', 'files/small'])
    expect(unzipped.get('README.md')?.toString()).toMatch(/30,000 files\. 1 file didn’t fit:\n\n- files\/large\n/)
  })

  it('the ZIP of an export can only be downloaded with its token, which a later one replaces', async () => {
    const [one, two] = [await givenUser(auth), await givenUser(auth)]
    const [mine, others] = [await givenExport(auth, one.browser), await givenExport(auth, two.browser)]
    const first = (await issueLink(auth, mine)).body.token
    const stranger = (await issueLink(auth, others)).body.token
    expect((await download(auth, mine, first)).status).toBe(200)
    const second = (await issueLink(auth, mine)).body.token
    const refused = [
      await download(auth, mine, first),
      await download(auth, mine, stranger),
      await download(auth, others, second),
      await download(auth, newId(), second),
      await download(auth, mine, ''),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    const bodies = refused.map(({ bytes }) => String(bytes).replace(/"requestId":"[^"]*"/, ''))
    expect(new Set(bodies).size).toBe(1)
    expect((await download(auth, mine, second)).status).toBe(200)
  })

  it('the ZIP of an export can also be downloaded by a link of the previous version while its token is valid', async () => {
    const { browser } = await givenUser(auth)
    const id = await givenExport(auth, browser, [{ path: 'chats/1.md', text: 'words' }])
    const { token } = (await issueLink(auth, id)).body
    const [old, now] = [await follow(auth, id, token), await download(auth, id, token)]
    expect([old.status, now.status]).toEqual([200, 200])
    expect([...(await unzip(old.bytes)).keys()]).toEqual([...(await unzip(now.bytes)).keys()])
    await auth.sql(`update data_exports set expires_at = now() where id = $1`, [id])
    expect((await follow(auth, id, token)).status).toBe(404)
  })

  it('an export has no link before it is ready, nor for an address that is no longer confirmed', async () => {
    const { browser, username } = await givenUser(auth)
    const id = await askForExport(browser)
    expect((await issueLink(auth, id)).status).toBe(404)
    for (const service of exportingServices) await bring(auth, id, service)
    await auth.sql('update users set email_verified = false where username = $1', [username])
    expect((await issueLink(auth, id)).status).toBe(404)
    expect((await issueLink(auth, newId())).status).toBe(404)
  })

  it('an export is deleted with the account', async () => {
    const { browser, user } = await givenUser(auth)
    const id = await givenExport(auth, browser, [{ path: 'chats/1.md', text: 'secret' }])
    const { token } = (await issueLink(auth, id)).body
    await auth.sql('delete from users where id = $1', [user._id])
    expect((await download(auth, id, token)).status).toBe(404)
    expect(await piecesOf(id)).toEqual([])
    expect(await bring(auth, id, 'chat')).toBe(404)
  })

  it('the ZIP of an export is created as fast as it is read, twice concurrently, and stops when the reader leaves', async () => {
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    const run = newId()
    for (let call = 0; call < 12; call += 1) {
      const pieces = [0, 1, 2].map((n) => ({ path: `files/${call}-${n}.png`, text: newId().repeat(32_768) }))
      await bring(auth, id, 'chat', { run, call, pieces, last: call === 11 })
    }
    await bringRest(auth, id, 'chat')
    const { token } = (await issueLink(auth, id)).body
    const params = { params: { id }, body: { token } }
    const open = async () => auth.api.as(await browser.principal()).stream(authRoutes.downloadDataExport, params)
    const [one, two] = [await open(), await open()]
    expect([one.status, two.status]).toEqual([200, 200])
    const third = await download(auth, id, token)
    expect([third.status, JSON.parse(String(third.bytes))]).toMatchObject([429, { code: 'rate_limited' }])
    expect(third.headers['content-type']).toMatch(/^application\/json/)
    expect(third.headers).not.toHaveProperty('content-disposition')
    one.body.destroy()
    await expect.poll(async () => (await download(auth, id, token)).status).toBe(200)
    two.body.destroy()
  })
})

describe('contributions', () => {
  it('a contribution to an export counts once, despite duplicates and outdated runs', async () => {
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    const [old, later] = [newId(), newId()]
    const piece = (path: string, text = path) => ({ pieces: [{ path, text }] })
    expect(await bring(auth, id, 'chat', { run: old, ...piece('of the old run'), last: false })).toBe(204)
    expect(await bring(auth, id, 'chat', { run: later, ...piece('first'), last: false })).toBe(204)
    expect(await bring(auth, id, 'chat', { run: old, call: 1, ...piece('late') })).toBe(404)
    const again = { run: later, call: 1, last: false }
    expect(await bring(auth, id, 'chat', { ...again, ...piece('second', 'replaced') })).toBe(204)
    expect(await bring(auth, id, 'chat', { ...again, ...piece('second') })).toBe(204)
    expect(await bring(auth, id, 'chat', { run: later, call: 2, last: true })).toBe(204)
    expect(await bring(auth, id, 'chat', { run: newId(), ...piece('after the end') })).toBe(404)
    expect(await bring(auth, id, 'realtime', piece('nobody asked'))).toBe(404)
    await bringRest(auth, id, 'chat')
    const { bytes } = await download(auth, id, (await issueLink(auth, id)).body.token)
    const unzipped = await unzip(bytes)
    expect([...unzipped.keys()]).toEqual(['README.md', 'account.json', 'first', 'second'])
    expect(String(unzipped.get('second'))).toBe('second')
  })

  it('concurrent contributions of all services complete an export once', async () => {
    const heard = await auth.listen()
    const { browser, user } = await givenUser(auth)
    const id = await askForExport(browser)
    await Promise.all(exportingServices.flatMap((service) => [bring(auth, id, service), bring(auth, id, service)]))
    const later = await givenUser(auth)
    await givenExport(auth, later.browser)
    const readyOf = (key: string) =>
      heard.filter((event) => event.type === 'auth.data-export-ready' && event.key === key)
    await waitUntil(() => readyOf(later.user._id).length > 0, 'a later event')
    expect(readyOf(user._id)).toHaveLength(1)
  })

  it.each(['../evil', 'a/../b', '/absolute', 'a//b', 'a\\b', 'a\nb', ''])(
    'a contribution to an export with the path %j is 400',
    async (path) => {
      const { browser } = await givenUser(auth)
      const id = await askForExport(browser)
      expect(await bring(auth, id, 'chat', { pieces: [{ path, text: 'x' }] })).toBe(400)
    },
  )
})

describe('as time goes by', () => {
  const requested = (heard: readonly { type: string; data: unknown }[], exportId: string) =>
    heard.filter(
      ({ type, data }) => type === 'auth.data-export-requested' && (data as { exportId: string }).exportId === exportId,
    )

  it('services are asked for an export again after ten minutes without a response, with another event each time', async () => {
    const heard = await auth.listen()
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    const silentFor = (minutes: number) =>
      auth.sql('update data_exports set last_sign_at = now() - make_interval(mins => $2) where id = $1', [id, minutes])
    await silentFor(9)
    await auth.reconcileExports()
    await silentFor(11)
    await auth.reconcileExports()
    await auth.reconcileExports()
    await waitUntil(() => requested(heard, id).length >= 2, 'the second event')
    const last = await askForExport((await givenUser(auth)).browser)
    await waitUntil(() => requested(heard, last).length === 1, 'a later event')
    expect(requested(heard, id)).toHaveLength(2)
    expect(new Set(heard.map((event) => event.id)).size).toBe(heard.length)
  })

  it('an export that is not complete after a day fails, and its data is deleted', async () => {
    const { browser } = await givenUser(auth)
    const id = await askForExport(browser)
    await bring(auth, id, 'chat', { pieces: [{ path: 'a', text: 'a' }] })
    await reconcile()
    expect(await piecesOf(id)).toHaveLength(1)
    await daysAgo(id, 'requested_at', 1)
    await reconcile()
    expect((await browser.call(authRoutes.dataExport)).body.dataExport).toMatchObject({ id, state: 'failed' })
    expect(await piecesOf(id)).toEqual([])
    expect(await bring(auth, id, 'billing')).toBe(404)
  })

  it('an export can be downloaded for seven days, before and after the sweep, and is then deleted', async () => {
    const { browser } = await givenUser(auth)
    const id = await givenExport(auth, browser)
    const { token } = (await issueLink(auth, id)).body
    await daysAgo(id, 'expires_at', 6)
    await reconcile()
    expect((await download(auth, id, token)).status).toBe(200)
    await daysAgo(id, 'expires_at', 1)
    expect((await download(auth, id, token)).status).toBe(404)
    expect((await issueLink(auth, id)).status).toBe(404)
    await reconcile()
    expect((await browser.call(authRoutes.dataExport)).body.dataExport).toMatchObject({ id, state: 'expired' })
    expect(await piecesOf(id)).toEqual([])
    // That there was one is known for a year.
    await daysAgo(id, 'requested_at', 360)
    await auth.stores.dataExports.sweep()
    expect((await browser.call(authRoutes.dataExport)).body.dataExport).toMatchObject({ id })
    await daysAgo(id, 'requested_at', 7)
    await auth.stores.dataExports.sweep()
    expect((await browser.call(authRoutes.dataExport)).body.dataExport).toBeNull()
  })

  it('a later export replaces the previous one once it is ready', async () => {
    const { browser } = await givenUser(auth)
    const first = await givenExport(auth, browser)
    const { token } = (await issueLink(auth, first)).body
    await daysAgo(first, 'requested_at', 2)
    const second = await askForExport(browser)
    expect((await download(auth, first, token)).status).toBe(200)
    for (const service of exportingServices) await bring(auth, second, service)
    expect((await download(auth, first, token)).status).toBe(404)
    expect(await piecesOf(first)).toEqual([])
  })
})

it('a user who has registered but not confirmed the address cannot request an export', async () => {
  const browser = openBrowser(auth)
  await browser.call(authRoutes.register, chosen())
  expect((await browser.call(authRoutes.requestDataExport)).status).toBe(401)
})
