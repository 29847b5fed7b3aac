import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, newId, newIdentityVariables } from '@parley/kit'
import {
  openAllInOneProcess,
  startServiceProcess,
  startTestServer,
  type TestDatabase,
  type TestServer,
  testDatabase,
} from '@parley/testing'
import { engineUrl, onEngine, testKeyPrefix, testTopicPrefix } from '@parley/testing/test-engines'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

onEngine('kafka', () => onEngine('redis', () => describe('the doctor of a service', doctorOfService)))

function doctorOfService(): void {
  let database: TestDatabase
  let auth: TestServer
  let environment: Record<string, string>
  /** The time of auth's clock. */
  let clock = (): Date => new Date()
  const run = async (
    command: string,
    changes: Record<string, string> = {},
  ): Promise<{ code: unknown; output: string }> => {
    const { exit, output } = await startServiceProcess('billing', { ...environment, ...changes }, [command])
    return { code: await exit, output: output() }
  }
  beforeAll(async () => {
    database = await testDatabase()
    auth = await startTestServer((_request, response) => {
      response.setHeader('date', clock().toUTCString())
      response.end(JSON.stringify({ status: 'ready', failed: [] }))
    })
    environment = {
      ...newIdentityVariables().billing,
      POSTGRES_URL: database.url,
      KAFKA_BROKERS: engineUrl('kafka') ?? '',
      KAFKA_TOPIC_PREFIX: testTopicPrefix(),
      REDIS_URL: engineUrl('redis') ?? '',
      REDIS_PREFIX: testKeyPrefix(),
      AUTH_URL: auth.url,
    }
    expect(await run('migrate')).toMatchObject({ code: 0 })
  })
  afterAll(async () => {
    await auth.close()
    await database.drop()
  })

  it('finds nothing wrong in a complete set-up, and names engine, version and schema', async () => {
    const { code, output } = await run('doctor')
    expect(output).not.toContain('WRONG')
    for (const line of [
      'ok    configuration: all variables are set and valid',
      'ok    postgres: PostgreSQL 1',
      'ok    postgres: the schema matches this version',
      'ok    kafka: it is reachable',
      'ok    redis: it is reachable',
      'ok    auth: it is ready',
    ])
      expect(output).toContain(line)
    expect(code).toBe(0)
  })

  it('reports an unreachable database, a service that does not answer and a missing variable, with advice for each', async () => {
    const nowhere = new URL(database.url)
    nowhere.port = String(await freePort())
    const AUTH_URL = `http://127.0.0.1:${await freePort()}`
    const { code, output } = await run('doctor', { POSTGRES_URL: nowhere.href, AUTH_URL, IDENTITY_PRIVATE_KEY: '' })
    expect(output).toMatch(/WRONG postgres: .+\n +→ it is unreachable: check the host and port in POSTGRES_URL/)
    expect(output).toMatch(/WRONG auth: it does not respond .+\n +→ check AUTH_URL/)
    expect(output).toContain('WRONG configuration: IDENTITY_PRIVATE_KEY: must be set')
    expect(code).toBe(1)
  })

  it('reports a database that refuses the user, without the password', async () => {
    const refused = new URL(database.url)
    Object.assign(refused, { username: `nobody-${newId()}`, password: 'a-wrong-password' })
    const { code, output } = await run('doctor', { POSTGRES_URL: refused.href })
    expect(output).toMatch(/WRONG postgres: .+\n +→ it is reachable but refuses this service/)
    expect(output).not.toContain('a-wrong-password')
    expect(code).toBe(1)
  })

  it('reports a called service whose clock is off by a minute', async () => {
    clock = () => new Date(Date.now() + 60_000)
    const { code, output } = await run('doctor')
    clock = () => new Date()
    expect(output).toMatch(/WRONG auth: its clock differs from this process's by \d+\.\d s\n +→ synchronise the clocks/)
    expect(code).toBe(1)
  })

  it('names brokers that do not answer by the variable with their address only', async () => {
    const { code, output } = await run('doctor', { KAFKA_BROKERS: `127.0.0.1:${await freePort()}` })
    expect(output).toMatch(/WRONG kafka: .+\n +→ it is unreachable: check the host and port in KAFKA_BROKERS, whether/)
    expect(code).toBe(1)
  })

  it('lists the migrations missing in an older schema', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const last = 'select name from billing.migrations order by name desc limit 1'
    const { rows } = await client.query(`delete from billing.migrations where name = (${last}) returning name`)
    await client.end()
    const { code, output } = await run('doctor')
    expect(output).toContain(`WRONG postgres: the schema is older than this version; pending: ${rows[0].name}`)
    expect(code).toBe(1)
  })
}

describe('the doctor of Parley in one process', () => {
  const run = (environment: Record<string, string>): Promise<{ code: number; output: string }> => {
    const path = fileURLToPath(new URL('../src/doctor/main.ts', import.meta.url))
    return new Promise((resolve) => {
      execFile(process.execPath, [path], { env: environment }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      )
    })
  }

  it('finds nothing wrong before the first start, and lists what is not configured', async () => {
    const { code, output } = await run({
      DATA_DIR: join(tmpdir(), `parley-${newId()}`),
      PORT: String(await freePort()),
    })
    for (const text of ['holds no data yet', 'the demo answers', 'set SMTP_URL', 'GB are free', 'does not respond'])
      expect(output).toContain(text)
    expect([output.includes('WRONG'), code]).toEqual([false, 0])
  })

  it('finds nothing wrong if the database of a running Parley does not answer in time, and names its process', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'parley-doctor-'))
    const parley = await openAllInOneProcess(DATA_DIR, {})
    try {
      await (await parley.start()).ready()
      process.kill((await parley.postmaster()) ?? 0, 'SIGSTOP')
      const { code, output } = await run({ DATA_DIR })
      const { pid } = parley.process
      expect(output).toContain(
        `note  data: Parley (process ${pid}) is running, and its database did not answer in time`,
      )
      expect([output.includes('WRONG data'), code]).toEqual([false, 0])
    } finally {
      await parley.close()
    }
  })

  it('names every invalid variable and exits with 1', async () => {
    const { code, output } = await run({ PORT: 'none', PUBLIC_URL: 'parley' })
    expect(output).toContain('WRONG configuration: PORT: ')
    expect(output).toContain('WRONG configuration: PUBLIC_URL: ')
    expect(code).toBe(1)
  })
})
