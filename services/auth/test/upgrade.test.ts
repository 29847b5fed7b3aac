import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, openPostgres } from '@parley/db'
import { testLog } from '@parley/testing'
import { testDatabase } from '@parley/testing/postgres'
import { expect, it } from 'vitest'
import { openAuthStores } from '../src/store/index.ts'

const log = testLog
const schema = 'auth'

it('the previous version continues to sign with the key it knows while newer ones add keys', async () => {
  const database = await testDatabase()
  const { url } = database
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'))
  const all = fileURLToPath(new URL('../migrations', import.meta.url))
  for (const name of ['0001_accounts.sql', '0002_settings_audit_keys.sql']) await cp(join(all, name), join(dir, name))
  await migrate({ url, schema, dir, log })
  const { pool, close } = openPostgres({ url, schema, log })
  await pool.query(`insert into signing_keys (kid, state, public_jwk, private_key) values ('old', 'current', '{}', '')`)
  const signingBefore = async () =>
    (await pool.query(`select kid from signing_keys where state = 'current'`)).rows.map(({ kid }) => kid)

  const stores = openAuthStores({ url, log })
  await stores.migrate()
  expect(await signingBefore()).toEqual(['old'])
  const made = (kid: string) => () => ({ kid, publicJwk: {}, privateKey: Buffer.from('') })
  expect(await stores.signingKeys.ensure(made('new'), ({ kid }) => kid === 'old')).toMatchObject({ kid: 'old' })
  for (const kid of ['new', 'newer']) {
    expect(await stores.signingKeys.ensure(made(kid), () => false)).toMatchObject({ kid })
  }
  expect(await signingBefore()).toEqual(['old'])

  await Promise.all([stores.close(), close()])
  await rm(dir, { recursive: true })
  await database.drop()
})
