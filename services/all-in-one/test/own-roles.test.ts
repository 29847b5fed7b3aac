import { createServiceRole, dropServiceRole } from '@parley/db'
import { createLogger, newId, type Stores } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allServices } from '../src/services.ts'

const log = createLogger('test', 'silent')
const run = newId().slice(0, 8)
/** The PostgreSQL stores of services, by schema. */
const storesOf = new Map(
  allServices.flatMap(({ name, engines: { stores } }) =>
    stores?.kind === 'postgres' ? [[name.replaceAll('-', '_'), stores] as const] : [],
  ),
)
const schemas = [...storesOf.keys()]
const roleOf = (schema: string): string => `${schema}_${run}`

let database: TestDatabase
const urls = new Map<string, string>()

const makeRole = async (schema: string): Promise<void> => {
  const name = new URL(database.url).pathname.slice(1)
  const options = { role: roleOf(schema), password: `it's "${schema}"`, schema, database: name }
  urls.set(schema, await createServiceRole(database.url, options))
}

beforeAll(async () => {
  database = await testDatabase()
  await Promise.all(schemas.map(makeRole))
})
afterAll(async () => {
  const admin = new URL(database.url)
  admin.pathname = '/postgres'
  await database.drop()
  for (const schema of schemas) await dropServiceRole(admin.href, roleOf(schema))
})

async function ask(schema: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: urls.get(schema) ?? '' })
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

it('every service with tables has a test case here', () => {
  expect(schemas).toEqual(expect.arrayContaining(['auth', 'billing', 'llm_router', 'notifier']))
})

describe.each(schemas)('the role of %s', (schema) => {
  it('migrates its schema repeatedly, and works in it', async () => {
    for (let replica = 0; replica < 2; replica += 1) {
      const user = { service: schema, log }
      const stores = (await storesOf.get(schema)?.open({ POSTGRES_URL: urls.get(schema) }, user)) as Stores
      await stores.migrate()
      await stores.ping()
      await stores.close()
    }
    expect(await ask(schema, `select count(*)::int from ${schema}.inbox`)).toEqual([0])
  })

  it('has no rights outside its schema', async () => {
    const other = schema === 'billing' ? 'auth' : 'billing'
    await ask(other, `create table if not exists ${other}.secrets (what text)`)
    for (const statement of [
      `select * from ${other}.secrets`,
      `create table ${other}.planted ()`,
      `set role ${roleOf(other)}`,
    ])
      await expect(ask(schema, statement)).rejects.toThrow('permission denied')
    for (const statement of [
      'create schema planted',
      'create table public.planted ()',
      'create temporary table planted ()',
      'create role planted',
      'create database planted',
      "select pg_read_file('/etc/passwd')",
    ])
      await expect(ask(schema, statement)).rejects.toThrow(/permission denied/)
  })
})

it('creating a role again updates it', async () => {
  await makeRole('notifier')
  expect(await ask('notifier', 'select count(*)::int from notifier.deliveries')).toEqual([0])
})

it('a role is created, and updated, by the administrator of a managed server, who is no superuser', async () => {
  const [owner, role] = [`owner_${run}`, `managed_${run}`]
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const name = `managed_${run}`
  try {
    await client.query(`create role ${owner} login createrole createdb password 'secret'`)
    await client.query(`create database ${name} owner ${owner}`)
    const admin = new URL(database.url)
    Object.assign(admin, { username: owner, password: 'secret', pathname: `/${name}` })
    const create = (password: string) =>
      createServiceRole(admin.href, { role, password, schema: 'billing', database: name })
    await create('first')
    urls.set('managed', await create('second'))
    await ask('managed', 'create table billing.made (id int)')
    const rights = `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls from pg_roles where rolname = '${role}'`
    expect(await ask('managed', rights)).toEqual([false])
  } finally {
    await client.query(`drop database if exists ${name} with (force)`)
    for (const one of [role, owner]) await client.query(`drop role if exists ${one}`)
    await client.end()
  }
})
