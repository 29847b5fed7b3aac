import { keyAdminRoutes as admin } from '@parley/contracts'
import { createKeySecret, newId } from '@parley/kit'
import { adminPrincipal } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { givenBilling, type RunningBilling } from './given.ts'

let billing: RunningBilling
beforeAll(async () => {
  billing = await givenBilling()
})
afterAll(() => billing.stop())

it('the keys that match a text are all found by their owners’ names or their own label, page by page, however many users match', async () => {
  const text = `crowd${newId().slice(0, 8)}`
  await billing.query(
    `insert into api_keys (id, user_id, label, prefix, last_four, tier)
     select '${text}' || n, 'owner-' || n % 301, case n % 5 when 0 then '${text.toUpperCase()}' else 'Build' end, 'sk-Abcd', 'wxyz', 1 + n % 2
     from generate_series(1, 700) as n`,
  )
  await billing.query(`update api_keys set id = md5(id) where id like '${text}%'`)
  const isNamed = (owner: string) => Number(owner.slice('owner-'.length)) % 3 === 0
  for (let nth = 0; nth < 301; nth += 1) {
    const owner = `owner-${nth}`
    billing.erasures.usernames.set(owner, isNamed(owner) ? `${text}-${nth}` : `another-${nth}`)
  }
  for (let other = 0; other < 201; other += 1) billing.erasures.usernames.set(newId(), `${text}-without-keys-${other}`)
  const all = (await billing.query(
    `select id, user_id, label, tier from api_keys where user_id like 'owner-%' order by position desc`,
  )) as { id: string; user_id: string; label: string; tier: number }[]
  for (const tier of [undefined, '2'] as const) {
    const found: string[] = []
    let cursor: string | null | undefined
    do {
      const query = { query: text, limit: 150, ...(cursor && { cursor }), ...(tier && { tier }) }
      const { body } = await billing.as(adminPrincipal()).call(admin.keys, { query })
      found.push(...body.keys.map(({ id }) => id))
      cursor = body.nextCursor
    } while (cursor !== null)
    const wanted = all.filter((key) => (isNamed(key.user_id) || key.label !== 'Build') && (!tier || key.tier === 2))
    expect(found).toEqual(wanted.map(({ id }) => id))
  }
})

it('an admin’s look-up of a secret is in the audit log even if no key has it', async () => {
  const acts = await billing.acts()
  const root = adminPrincipal()
  await billing.as(root).call(admin.verifyKey, { body: { key: createKeySecret() } })
  const known = { action: 'key.verified', target: null, after: { found: false }, actorId: root.userId }
  await expect.poll(() => acts).toMatchObject([known])
})
