import {
  type ApiKey,
  keyAdminRoutes as admin,
  billingInternalRoutes,
  keyInternalRoutes as internal,
  keyRoutes as keys,
  keyWindowOf,
  maxKeysPerUser,
  type Principal,
  type UserPrincipal,
} from '@parley/contracts'
import { createKeySecret, hashKeySecret, isKeySecret, newId } from '@parley/kit'
import { adminPrincipal, guestPrincipal, servicePrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenBilling, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeAll(async () => {
  billing = await givenBilling()
})
afterAll(() => billing.stop())
const as = (principal: UserPrincipal) => billing.as(principal)
const create = async (owner: UserPrincipal, body: { label: string; expiresAt?: string } = { label: 'Build' }) => {
  const created = await as(owner).call(keys.createKey, { body })
  expect(created.status).toBe(201)
  return created.body
}
const listOf = async (owner: UserPrincipal): Promise<ApiKey[]> => (await as(owner).call(keys.keys)).body.keys
/** Looks a secret up as the gateway does, at the other replica. */
const found = async (secret: string) => {
  const gateway = billing.replica({ kind: 'service', service: 'gateway', network: 'internal' })
  return (await gateway.call(internal.find, { params: { hash: hashKeySecret(secret) } })).body.key
}
const toldOf = (keyId: string) => billing.keyChanges.filter((change) => change.keyId === keyId).length
const past = '2020-01-01T00:00:00.000Z'
const future = '2100-01-01T00:00:00.000Z'

describe('API keys of a user', () => {
  it('show the rest of the window in which their requests are counted, or null while it is unknown', async () => {
    const owner = userPrincipal()
    const [used, unused] = [(await create(owner)).key, (await create(owner)).key]
    const window = keyWindowOf(used.id, used.limits)
    await billing.counters.ofRouter.consumeAll([{ ...window, cost: 7 }])
    const left = async () => (await listOf(owner)).map(({ id, limits }) => [id, limits.remaining])
    expect(Object.fromEntries(await left())).toEqual({ [unused.id]: 60, [used.id]: 53 })
    const ofAdmin = await as(adminPrincipal()).call(admin.keys, { query: { userId: owner.userId } })
    expect(ofAdmin.body.keys.map(({ limits }) => limits.remaining)).toEqual([60, 53])
    billing.counters.areAway = true
    expect((await left()).map(([, remaining]) => remaining)).toEqual([null, null])
    billing.counters.areAway = false
  })

  it('show a new secret once, and store only its hash', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner, { label: ' Build ', expiresAt: future })
    expect(isKeySecret(secret)).toBe(true)
    expect(key).toMatchObject({ label: 'Build', tier: 1, lastUsed: null, expiresAt: future })
    expect([key.prefix, key.lastFour]).toEqual([secret.slice(0, 7), secret.slice(-4)])
    expect(key.limits).toEqual({ requests: 60, windowMinutes: 1, remaining: 60 })
    expect(await listOf(owner)).toEqual([key])
    const rows = await billing.query(`select to_jsonb(k)::text as text from api_keys k, api_key_secrets s
      where s.key_id = k.id and k.id = '${key.id}'`)
    expect(JSON.stringify(rows)).not.toContain(secret.slice(7, -4))
    const columns = await billing.query(
      `select encode(hash, 'hex') as hash from api_key_secrets where key_id = '${key.id}'`,
    )
    expect(columns).toEqual([{ hash: hashKeySecret(secret) }])
  })

  it('are found by the hash of their secret, and by no other hash', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner)
    expect(await found(secret)).toEqual({
      ...{ keyId: key.id, userId: owner.userId, tier: 1, customLimits: null, endsAt: null },
    })
    expect(await found(createKeySecret())).toBeNull()
  })

  it('record their last use, apart from the request and at most once a minute', async () => {
    const owner = userPrincipal()
    const usedAt = async (user: UserPrincipal) => (await listOf(user))[0]?.lastUsed
    const { secret } = await create(owner)
    await found(secret)
    await expect.poll(() => usedAt(owner)).toEqual(expect.any(String))
    const first = await usedAt(owner)
    await found(secret)
    // A later note is stored after an earlier one.
    const other = userPrincipal()
    await found((await create(other)).secret)
    await expect.poll(() => usedAt(other)).toEqual(expect.any(String))
    expect(await usedAt(owner)).toBe(first)
    await billing.query(`update api_keys set last_used = now() - interval '61 s' where user_id = '${owner.userId}'`)
    await found(secret)
    await expect.poll(async () => ((await usedAt(owner)) ?? '') >= (first ?? '')).toBe(true)
  })

  it('are listed newest first, to their owner only', async () => {
    const [owner, stranger] = [userPrincipal(), userPrincipal()]
    await create(owner, { label: 'one' })
    await create(owner, { label: 'two' })
    expect((await listOf(owner)).map(({ label }) => label)).toEqual(['two', 'one'])
    expect(await listOf(stranger)).toEqual([])
  })

  it('are renamed, and their expiry is set, moved and cleared; the gateway hears of each new expiry', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner)
    const update = (body: object) => as(owner).call(keys.updateKey, { params: { id: key.id }, body })
    expect((await update({ label: 'Deploy' })).body.key).toEqual({ ...key, label: 'Deploy' })
    expect(toldOf(key.id)).toBe(0)
    expect((await update({ expiresAt: future })).body.key).toMatchObject({ label: 'Deploy', expiresAt: future })
    expect(await found(secret)).toMatchObject({ endsAt: future })
    expect((await update({ expiresAt: null })).body.key.expiresAt).toBeNull()
    await expect.poll(() => toldOf(key.id)).toBe(2)
    expect((await update({})).body.key).toMatchObject({ label: 'Deploy', expiresAt: null })
  })

  it.each([
    ['with an expiry in the past', { label: 'a', expiresAt: past }],
    ['without a label', { label: '  ' }],
    ['with an unknown field', { label: 'a', tier: 4 }],
  ])('are refused %s (400)', async (_what, body) => {
    const owner = userPrincipal()
    expect(await as(owner).post('/api/user/keys', body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
    const { key } = await create(owner)
    expect((await as(owner).patch(`/api/user/keys/${key.id}`, body)).status).toBe(400)
    expect(await listOf(owner)).toEqual([key])
  })

  it('are not found after their expiry', async () => {
    const { key, secret } = await create(userPrincipal(), { label: 'a', expiresAt: future })
    await billing.query(`update api_keys set expires_at = now() where id = '${key.id}'`)
    expect(await found(secret)).toBeNull()
  })

  it('keep everything but the secret in a rotation, and accept the former secret during the overlap', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner)
    const rotate = async (body?: { overlapMinutes: number }) =>
      (await as(owner).post(`/api/user/keys/${key.id}/rotate`, body)).body as { key: ApiKey; secret: string }
    const rotated = await rotate()
    expect(rotated.key).toEqual({ ...key, prefix: rotated.secret.slice(0, 7), lastFour: rotated.secret.slice(-4) })
    await expect.poll(() => toldOf(key.id)).toBe(1)
    const [former, present] = [await found(secret), await found(rotated.secret)]
    expect([former?.keyId, present?.keyId, present?.endsAt]).toEqual([key.id, key.id, null])
    await rotate({ overlapMinutes: 10_080 })
    expect([former?.endsAt, await found(secret)]).toEqual([expect.any(String), former])
    await billing.query(`update api_key_secrets set ends_at = now() where key_id = '${key.id}' and ends_at is not null`)
    expect(await found(secret)).toBeNull()
    const again = await rotate({ overlapMinutes: 0 })
    expect([await found(rotated.secret), await found(again.secret)]).toMatchObject([null, { keyId: key.id }])
  })

  it('cannot be rotated while too many former secrets are valid (409)', async () => {
    const owner = userPrincipal()
    const { key } = await create(owner)
    const rotate = () => as(owner).call(keys.rotateKey, { params: { id: key.id }, body: {} })
    const statuses: number[] = []
    for (let times = 0; times < 21; times += 1) statuses.push((await rotate()).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409])
    const [{ prefix, lastFour } = { prefix: '', lastFour: '' }] = await listOf(owner)
    const ended = await as(owner).call(keys.rotateKey, { params: { id: key.id }, body: { overlapMinutes: 0 } })
    expect(ended.status).toBe(201)
    expect([prefix, lastFour]).not.toEqual([ended.body.key.prefix, ended.body.key.lastFour])
  })

  it('are revoked at once, on every replica, and the gateway is told', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner)
    const revoke = () => as(owner).call(keys.revokeKey, { params: { id: key.id } })
    expect((await revoke()).status).toBe(204)
    expect(await found(secret)).toBeNull()
    await expect.poll(() => billing.keyChanges).toContainEqual({ keyId: key.id, userId: owner.userId })
    expect((await revoke()).status).toBe(404)
    expect(await listOf(owner)).toEqual([])
  })

  it('are limited to exactly 100, even when 50 are created concurrently', async () => {
    const owner = userPrincipal()
    await billing.query(`insert into api_keys (id, user_id, label, prefix, last_four)
      select 'of-${owner.userId}-' || n, '${owner.userId}', 'a', 'sk-abcd', 'wxyz' from generate_series(1, ${maxKeysPerUser - 20}) as n`)
    const call = (at: number) =>
      (at % 2 === 0 ? billing.as(owner) : billing.replica(owner)).call(keys.createKey, { body: { label: 'b' } })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => call(at)))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(30)
    for (const { status, body } of refused)
      expect([status, body]).toMatchObject([409, { code: 'conflict', error: expect.stringContaining('100 API keys') }])
    expect(await listOf(owner)).toHaveLength(maxKeysPerUser)
    const [newest] = await listOf(owner)
    await as(owner).call(keys.revokeKey, { params: { id: newest?.id ?? '' } })
    expect((await call(0)).status).toBe(201)
  })

  it('of another user are not found (404)', async () => {
    const [owner, stranger] = [userPrincipal(), adminPrincipal()]
    const { key, secret } = await create(owner)
    const params = { id: key.id }
    const answers = [
      await as(stranger).call(keys.updateKey, { params, body: { label: 'mine' } }),
      await as(stranger).call(keys.rotateKey, { params, body: {} }),
      await as(stranger).call(keys.revokeKey, { params }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await listOf(owner)).toEqual([key])
    expect(await found(secret)).not.toBeNull()
  })

  it.each(Object.values(keys))('cannot be used by guests and banned users: $method $path', async (route) => {
    const path = `/api${route.path.replace(':id', 'none')}`
    expect((await billing.as(guestPrincipal()).send(route.method, path)).status).toBe(401)
    const banned = userPrincipal({ rights: { isBanned: true } })
    expect(await billing.as(banned).send(route.method, path)).toMatchObject({
      status: 403,
      body: { code: 'account_banned' },
    })
    const key: Principal = {
      ...{ kind: 'key', keyId: 'k', userId: 'u', tier: 1, customLimits: null, network: 'n', requestId: 'r' },
      rights: userPrincipal().rights,
    }
    expect((await billing.as(key).send(route.method, path)).status).toBe(401)
  })

  it('are erased with their owner, and cannot be created afterwards', async () => {
    const owner = userPrincipal()
    const { secret } = await create(owner)
    const erasure = newId()
    await billing.deleted(owner.userId, erasure)
    await expect.poll(() => billing.erasures.told).toContain(`billing ${erasure}`)
    expect(await found(secret)).toBeNull()
    expect((await as(owner).call(keys.createKey, { body: { label: 'late' } })).status).toBe(404)
    expect(await billing.query(`select from api_keys where user_id = '${owner.userId}'`)).toEqual([])
  })
})

describe('API keys of all users, for admins,', () => {
  const root = adminPrincipal()

  it('are listed newest first, by pages, filtered by owner and by text', async () => {
    const [owner, other] = [userPrincipal(), userPrincipal()]
    const label = `Label 50%_${newId()}`
    const made = [
      await create(owner),
      await create(owner, { label }),
      await create(owner),
      await create(other, { label }),
    ]
    const ids = made.map(({ key }) => key.id)
    const list = async (query: Record<string, string | number>) => (await as(root).call(admin.keys, { query })).body
    const first = await list({ userId: owner.userId, limit: 2 })
    expect(first.keys.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    const second = await list({ userId: owner.userId, limit: 2, cursor: first.nextCursor ?? '' })
    expect(second.keys.map(({ id }) => id)).toEqual([ids[0]])
    expect(second.nextCursor).toBeNull()
    expect((await list({ query: label.toUpperCase() })).keys.map(({ id }) => id)).toEqual([ids[3], ids[1]])
    expect((await list({ query: '50%' })).keys.length).toBeGreaterThanOrEqual(2)
    expect((await list({ query: 'a%b_c' })).keys).toEqual([])
    expect((await as(root).get('/api/admin/keys?cursor=nonsense')).status).toBe(400)
  })

  it('change their tier, by number or name, with the resulting limits, and back', async () => {
    const { key, secret } = await create(userPrincipal())
    const set = (body: object) => as(root).call(admin.updateKey, { params: { id: key.id }, body: body as never })
    const multiplied = []
    for (const tier of [1, 'standard', 3, 'enterprise']) multiplied.push((await set({ tier })).body.key.limits.requests)
    expect(multiplied).toEqual([60, 120, 300, 600])
    const customLimits = { requests: 10, windowMinutes: 1440 }
    const custom = await set({ tier: 'custom', customLimits })
    expect(custom.body.key).toMatchObject({ tier: 5, customLimits, limits: { ...customLimits, remaining: 10 } })
    expect(await found(secret)).toMatchObject({ tier: 5, customLimits })
    expect((await set({ tier: 2 })).body.key).toMatchObject({ tier: 2, customLimits: null, version: 7 })
    await expect.poll(() => toldOf(key.id)).toBe(6)
  })

  it.each([
    ['fewer than 10 requests', { requests: 9, windowMinutes: 1 }, 'Requests per window must be at least 10'],
    ['a window of 0 minutes', { requests: 10, windowMinutes: 0 }, 'window size must be at least 1 minute'],
  ])('with %s are refused with the product’s own text', async (_what, customLimits, error) => {
    const { key } = await create(userPrincipal())
    const answer = await as(root).patch(`/api/admin/keys/${key.id}`, { tier: 5, customLimits })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', error } })
  })

  it.each([
    ['a window of 1441 minutes', { tier: 5, customLimits: { requests: 10, windowMinutes: 1441 } }],
    ['tier 5 without limits', { tier: 5 }],
    ['limits of another tier', { tier: 'enterprise', customLimits: { requests: 10, windowMinutes: 1 } }],
    ['tier 6', { tier: 6 }],
    ['a tier of no name', { tier: 'constructor' }],
  ])('cannot be changed to %s (400)', async (_what, body) => {
    const { key } = await create(userPrincipal())
    expect((await as(root).patch(`/api/admin/keys/${key.id}`, body)).status).toBe(400)
  })

  it('are refused for an update of an outdated version, with the current key (409)', async () => {
    const { key } = await create(userPrincipal())
    const set = (tier: number, version?: number) => as(root).patch(`/api/admin/keys/${key.id}`, { tier, version })
    expect((await set(2, 1)).status).toBe(200)
    const current = { id: key.id, tier: 2, version: 2 }
    expect(await set(3, 1)).toMatchObject({ status: 409, body: { code: 'conflict', current } })
    expect((await set(3)).status).toBe(200)
  })

  it('are listed by tier, by their owner’s name and including it, and as CSV', async () => {
    const owner = userPrincipal()
    const { key } = await create(owner)
    await as(root).call(admin.updateKey, { params: { id: key.id }, body: { tier: 4 } })
    const query = `needle${newId().slice(0, 8)}`
    billing.erasures.usernames.set(owner.userId, query.toUpperCase())
    for (let other = 0; other < 201; other += 1) billing.erasures.usernames.set(newId(), `${query}${other}`)
    const found = async (query: Record<string, string>) => (await as(root).call(admin.keys, { query })).body.keys
    expect(await found({ query })).toMatchObject([{ id: key.id, username: query.toUpperCase(), tier: 4 }])
    expect((await found({ tier: '4', userId: owner.userId })).map(({ id }) => id)).toEqual([key.id])
    expect(await found({ tier: '3', userId: owner.userId })).toEqual([])
    const { headers, text } = await as(root).call(admin.keys, { query: { query, format: 'csv' } })
    expect(headers['content-disposition']).toBe('attachment; filename="keys.csv"')
    expect(text.split('\r\n').map((line) => line.split(',', 1)[0])).toEqual(['id', key.id, ''])
    billing.erasures.away = true
    expect(await found({ userId: owner.userId })).toMatchObject([{ id: key.id, username: null }])
    billing.erasures.away = false
  })

  it('get an undone tier back for auth, once, and only while nothing has changed since', async () => {
    const { key } = await create(userPrincipal())
    const set = (tier: number) => as(root).patch(`/api/admin/keys/${key.id}`, { tier })
    await set(2)
    const states = { before: { tier: 1, customLimits: null }, after: { tier: 2, customLimits: null } }
    const body = { entryId: newId(), actorId: root.userId, action: 'key.tier-changed', target: key.id, ...states }
    const auth = billing.as(servicePrincipal('auth'))
    const undo = (undone = false) => auth.call(billingInternalRoutes.undo, { body: { ...body, undone } })
    await set(3)
    expect(await undo()).toMatchObject({ status: 409, body: { current: { tier: 3 }, details: [{ path: 'tier' }] } })
    await set(2)
    const told = toldOf(key.id)
    expect((await undo()).body).toMatchObject({ target: key.id, before: { tier: 2 }, after: { tier: 1 } })
    await expect.poll(() => toldOf(key.id)).toBe(told + 1)
    for (const tier of [2, 3]) {
      await set(tier)
      const refused = { error: 'This has already been undone.', current: { tier, customLimits: null } }
      expect(await undo(tier === 3)).toMatchObject({ status: 409, body: refused })
    }
    await as(root).call(admin.revokeKey, { params: { id: key.id } })
    expect(await undo()).toMatchObject({ status: 409, body: { current: null } })
  })

  it('are verified by secret: found, well-formed but unknown, expired, or malformed', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner)
    const verify = async (text: string) => (await as(root).call(admin.verifyKey, { body: { key: text } })).body
    expect(await verify(` ${secret}\n`)).toMatchObject({
      ...{ result: 'found', valid: true, key: { id: key.id, userId: owner.userId } },
    })
    expect(await verify(createKeySecret())).toEqual({
      ...{ result: 'no_record', valid: false, key: null, message: 'Verified but no matching record in the list.' },
    })
    expect(await verify(secret.slice(0, -1))).toEqual({
      ...{ result: 'malformed', valid: false, key: null, message: 'Invalid key or verification failed.' },
    })
    await billing.query(`update api_keys set expires_at = now() where id = '${key.id}'`)
    expect(await verify(secret)).toMatchObject({ result: 'found', valid: false, key: { id: key.id } })
  })

  it('are revoked by an admin at once, and the gateway is told', async () => {
    const owner = userPrincipal()
    const { key, secret } = await create(owner)
    const revoke = () => as(root).call(admin.revokeKey, { params: { id: key.id } })
    expect((await revoke()).status).toBe(204)
    expect([await found(secret), await listOf(owner)]).toEqual([null, []])
    await expect.poll(() => billing.keyChanges).toContainEqual({ keyId: key.id, userId: owner.userId })
    expect((await revoke()).status).toBe(404)
  })

  it('have admin acts reported to the audit log, without a secret', async () => {
    const heard = await billing.acts()
    const { key, secret } = await create(userPrincipal())
    const params = { id: key.id }
    await as(root).call(admin.updateKey, { params, body: { tier: 3 } })
    await as(root).call(admin.verifyKey, { body: { key: secret } })
    await as(root).call(admin.revokeKey, { params })
    const told = () => heard.filter(({ target }) => target === key.id)
    await expect
      .poll(() => told().map(({ action }) => action))
      .toEqual(['key.tier-changed', 'key.verified', 'key.revoked'])
    expect(told()[0]).toMatchObject({ actorId: root.userId, before: { tier: 1 }, after: { tier: 3 } })
    expect(new Set(told().map(({ targetName }) => targetName))).toEqual(new Set([key.label]))
    expect(JSON.stringify(told())).not.toContain(secret.slice(7, -4))
    expect(JSON.stringify(told())).not.toContain(hashKeySecret(secret))
  })

  it.each(Object.values(admin))('cannot be used by others than admins: $method $path', async (route) => {
    const path = `/api${route.path.replace(':id', 'none')}`
    const send = (principal: Parameters<RunningBilling['as']>[0]) => billing.as(principal).send(route.method, path)
    expect((await send(guestPrincipal())).status).toBe(401)
    expect(await send(userPrincipal())).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await send(adminPrincipal({ rights: { isBanned: true } }))).status).toBe(403)
  })
})
