import { createServiceRole, dropServiceRole, openPostgres } from '@parley/db'
import { createLogger, newId } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing'
import { engineUrl, onEngine } from '@parley/testing/test-engines'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBilling } from './given-process.ts'

const patience = { timeout: 60_000, interval: 100 }

onEngine('kafka', () =>
  describe('a PostgreSQL that refuses', () => {
    const role = `billing_${newId().slice(0, 8)}`
    let database: TestDatabase
    let url: string
    beforeAll(async () => {
      database = await testDatabase()
      const options = { role, password: 'the right one', schema: 'billing' }
      url = await createServiceRole(database.url, { ...options, database: new URL(database.url).pathname.slice(1) })
    })
    afterAll(async () => {
      const admin = Object.assign(new URL(database.url), { pathname: '/postgres' }).href
      await database.drop()
      await dropServiceRole(admin, role)
    })

    /** Runs a statement as a superuser. */
    async function alter(statement: string): Promise<void> {
      const admin = openPostgres({ url: database.url, schema: 'public', log: createLogger('test', 'silent') })
      await sql.raw(statement).execute(admin.db)
      await admin.close()
    }

    it('because of a wrong password is logged, without the password, and used again once the password is right', async () => {
      await alter(`alter role ${role} password 'another one'`)
      const billing = await startBilling(url, engineUrl('kafka') ?? '')
      const refused = `password authentication failed for user \\`
      await expect.poll(() => billing.output(), patience).toContain(refused)
      expect(await billing.readiness()).toMatchObject({
        status: 'unready',
        failed: expect.arrayContaining(['postgres']),
      })
      expect(await billing.hold('ann')).toEqual({ status: 503, code: 'unavailable', retryAfter: '2' })
      await alter(`alter role ${role} password 'the right one'`)
      await billing.ready()
      expect((await billing.hold('ann')).status).toBe(201)
      expect(billing.output()).not.toMatch(/the right one|another one/)
      await billing.close()
      expect(await billing.exit).toBe(0)
    })

    it('writes while billing is running makes billing unready and holds a 503, and nothing is held', async () => {
      const billing = await startBilling(url, engineUrl('kafka') ?? '')
      await billing.ready()
      expect((await billing.hold('bob')).status).toBe(201)
      expect(await billing.remaining('bob')).toBe(99)
      await alter(`alter role ${role} set default_transaction_read_only = on`)
      // The setting applies to new connections only.
      await alter(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
      await expect.poll(async () => (await billing.readiness())?.failed, patience).toEqual(['postgres'])
      // The terminated connections may be logged first. Readiness checks find the lasting reason.
      const reasons = async () => (await billing.readiness()) && billing.reasons()
      await expect.poll(reasons, patience).toContain('PostgreSQL is read-only')
      expect(await billing.hold('bob')).toEqual({ status: 503, code: 'unavailable', retryAfter: '2' })
      await alter(`alter role ${role} reset default_transaction_read_only`)
      await alter(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`)
      await billing.ready()
      expect(await billing.remaining('bob')).toBe(99)
      await billing.close()
    })
  }),
)
