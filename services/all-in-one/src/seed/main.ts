import { parseArgs } from 'node:util'
import { auth } from '@parley/auth'
import { billing } from '@parley/billing'
import { openPostgres } from '@parley/db'
import { runMain, usageError } from '@parley/kit'
import { llmRouter } from '@parley/llm-router'
import { withRuntime } from '../with-runtime.ts'
import { seed } from './seed.ts'

/** `npm run seed -- --users 100000`: adds users with a year of usage, keys, models and audit entries, whether Parley is running or not. */
await runMain(async () => {
  const users = readUsers()
  const work: Parameters<typeof withRuntime>[1] = async ({ depsOf }, { postgresUrl: url, log }) => {
    for (const definition of [auth, billing, llmRouter]) await (await depsOf(definition)).engines.stores.migrate()
    const database = openPostgres({ url, schema: 'public', unlimited: true, log })
    try {
      await seed(database, { users, keys: 5_000, entries: users * 10, models: 500 })
    } finally {
      await database.close()
    }
    console.log(`There are now ${users} seeded users with a year of usage.`)
  }
  await withRuntime('seed', work, { mayCreate: true })
})

function readUsers(): number {
  const usage = usageError('Usage: npm run seed -- --users <a whole number from 1 to 10000000>')
  try {
    const { values } = parseArgs({ options: { users: { type: 'string', default: '1000' } } })
    const users = Number(values.users)
    if (Number.isInteger(users) && users >= 1 && users <= 10_000_000) return users
  } catch (cause) {
    throw Object.assign(usage, { cause })
  }
  throw usage
}
