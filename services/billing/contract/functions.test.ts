import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BillingEngine, openBillingEngine } from './engine.ts'

let engine: BillingEngine
beforeAll(async () => {
  engine = await openBillingEngine()
})
afterAll(() => engine.close())

/** Functions kept for a previous version that still calls them. */
const keptForPrevious: readonly string[] = []

it('every function of the schema is called by a trigger, another function or the code', async () => {
  const { rows } = await sql<{ name: string; body: string; isTrigger: boolean }>`
    select proname as name, prosrc as body, exists (select from pg_trigger where tgfoid = pg_proc.oid) as "isTrigger"
    from pg_proc where pronamespace = current_schema()::regnamespace`.execute(engine.db)
  const src = join(import.meta.dirname, '../src')
  const code = globSync('**/*.ts', { cwd: src }).map((path) => readFileSync(join(src, path), 'utf8'))
  const unused = rows.filter(({ name, isTrigger }) => {
    const call = new RegExp(`\\b${name}\\s*\\(`)
    const callers = [...code, ...rows.filter((other) => other.name !== name).map(({ body }) => body)]
    return !isTrigger && !callers.some((text) => call.test(text))
  })
  expect(rows.length).toBeGreaterThan(0)
  expect(unused.map(({ name }) => name)).toEqual(keptForPrevious)
})
