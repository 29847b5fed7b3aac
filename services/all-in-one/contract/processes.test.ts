import { openKafkaBus } from '@parley/bus/kafka'
import { groupsOf, type ServiceName, serviceNames } from '@parley/contracts'
import { createServiceRole, dropServiceRole } from '@parley/db'
import { createIdentities, createLogger, freePort, newId, newIdentityVariables, urlVariable } from '@parley/kit'
import {
  adminPrincipal,
  apiClient,
  type FaultProxy,
  guestPrincipal,
  type ServiceProcess,
  servicePrincipal,
  startFaultProxy,
  startServiceProcess,
  type TestDatabase,
  testDatabase,
  testEvent,
  testIdentity,
  waitUntil,
} from '@parley/testing'
import { engineUrl, onEngine, testMongoUrl } from '@parley/testing/test-engines'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { services } from '../src/services.ts'
import { transactions } from './transactions.ts'

const secret = 'a secret of at least thirty-two characters'
const identities = newIdentityVariables()

/** The dependencies that a service waits for. */
const neededBy = (service: ServiceName): string[] =>
  Object.values(services[service].engines).flatMap((engine) => engine?.kind ?? [])

const started: ServiceProcess[] = []
afterEach(async () => {
  for (const one of started) one.signal('SIGKILL')
  await Promise.all(started.splice(0).map(({ exit }) => exit))
})

async function start(service: ServiceName, environment: Record<string, string>, ...args: string[]) {
  const one = await startServiceProcess(service, environment, args)
  started.push(one)
  return one
}

const printedAdmin = (output: string): readonly string[] | undefined =>
  /^First admin: (\S+) with password (\S+) /m.exec(output)?.slice(1)

onEngine('kafka', () => onEngine('mongo', () => onEngine('redis', processesOnRealEngines)))

function processesOnRealEngines(): void {
  const run = newId().slice(0, 8)
  const onPostgres = serviceNames.filter((service) => services[service].engines.stores?.kind === 'postgres')
  const roles = onPostgres.map((service) => service.replaceAll('-', '_'))
  const roleOf = (schema: string): string => `${schema}_${run}`
  const proxies = new Map<string, FaultProxy>()
  const roleUrls = new Map<string, URL>()
  let database: TestDatabase
  let common: Record<string, string>
  /** Name and password, printed once per database. */
  let firstAdmin: readonly string[] | undefined

  beforeAll(async () => {
    database = await testDatabase()
    const name = new URL(database.url).pathname.slice(1)
    for (const schema of roles) {
      const options = { role: roleOf(schema), password: newId(), schema, database: name }
      roleUrls.set(schema, new URL(await createServiceRole(database.url, options)))
    }
    common = await environmentThroughProxies()
  })
  afterAll(async () => {
    for (const proxy of proxies.values()) await proxy.close()
    const admin = Object.assign(new URL(database.url), { pathname: '/postgres' }).href
    await database.drop()
    for (const schema of roles) await dropServiceRole(admin, roleOf(schema))
  })

  /** A proxy that can cut the engine off. */
  async function through(name: string, url: string): Promise<string> {
    const { hostname: host, port } = new URL(url)
    const proxy = await startFaultProxy({ host, port: Number(port) })
    proxies.set(name, proxy)
    return proxy.through(url)
  }

  /** The variables common to all services. Kafka advertises its own address, so only bootstrap connections use the proxy. */
  async function environmentThroughProxies(): Promise<Record<string, string>> {
    const kafkaUrl = await through('kafka', `http://${engineUrl('kafka')?.split(',', 1)[0]}`)
    return {
      MONGO_URL: await through('mongo', testMongoUrl()),
      REDIS_URL: await through('redis', engineUrl('redis') ?? ''),
      REDIS_PREFIX: `processes-${run}`,
      KAFKA_BROKERS: new URL(kafkaUrl).host,
      KAFKA_TOPIC_PREFIX: `processes-${run}`,
      POSTGRES_URL: await through('postgres', database.url),
      AUTH_SECRETS: secret,
      CHAT_SECRETS: secret,
      PUBLIC_URL: 'http://localhost:8080',
      ...Object.fromEntries(serviceNames.map((service) => [urlVariable(service), 'http://127.0.0.1:9'])),
      AUTH_URL: `http://127.0.0.1:${await freePort()}`,
      SMTP_URL: 'smtp://127.0.0.1:9',
      DRAIN_DELAY_MS: '0',
    }
  }

  function environmentOf(service: ServiceName): Record<string, string> {
    const variables: Record<string, string> = { ...common, ...identities[service] }
    const role = roleUrls.get(service.replace('-', '_'))
    if (role !== undefined) {
      const { username, password } = role
      variables.POSTGRES_URL = Object.assign(new URL(common.POSTGRES_URL ?? ''), { username, password }).href
    }
    // Each service has its own database.
    variables.MONGO_URL = (common.MONGO_URL ?? '').replace(/(\/test_\w+)/, `$1_${service}`)
    if (service === 'auth') variables.PORT = new URL(common.AUTH_URL ?? '').port
    return variables
  }

  const refuse = (refusing: boolean): void => {
    for (const proxy of proxies.values()) proxy.fault({ kind: refusing ? 'refuse' : 'none' })
  }
  afterEach(() => refuse(false))

  it("migrate as a job with nothing but the store's address, and exit with an error if the store refuses them", async () => {
    const { POSTGRES_URL = '' } = environmentOf('billing')
    const jobs = [
      await start('billing', { POSTGRES_URL }, 'migrate'),
      await start('chat', { MONGO_URL: common.MONGO_URL ?? '' }, 'migrate'),
    ]
    expect(await Promise.all(jobs.map(({ exit }) => exit))).toEqual([0, 0])
    const wrong = Object.assign(new URL(POSTGRES_URL), { password: 'wrong' }).href
    const { exit, output } = await start('billing', { POSTGRES_URL: wrong }, 'migrate')
    expect(await exit).toBe(1)
    expect(output()).toMatch(/^password authentication failed for user "billing_\w+"$/m)
  })

  it('start in any order: they listen, report what they wait for, serve once it is available, and exit with 0', async () => {
    refuse(true)
    const processes = new Map<ServiceName, ServiceProcess>()
    for (const service of serviceNames) processes.set(service, await start(service, environmentOf(service)))
    for (const [service, { url, readiness }] of processes) {
      const missing = [...neededBy(service), 'start']
      await expect.poll(async () => (await readiness())?.failed, { interval: 50 }).toEqual(missing)
      const refused = await fetch(`${url}/api/anything`)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
    }
    for (const proxy of proxies.values()) await expect.poll(() => proxy.observed).toBeGreaterThan(0)
    refuse(false)
    const reads = () => {
      firstAdmin ??= printedAdmin(processes.get('auth')?.output() ?? '')
    }
    for (const one of processes.values()) await one.ready().finally(reads)
    await expect.poll(() => signIn(processes)).toBe(200)
    for (const { signal } of processes.values()) signal('SIGTERM')
    for (const { exit, output } of processes.values()) {
      expect([await exit, output()]).toEqual([0, expect.not.stringMatching(`${secret}|PRIVATE KEY`)])
    }
  })

  it.each(Object.entries(transactions))(
    '%s survives the loss of all its database connections during a transaction: the request gets 503, and succeeds when repeated',
    async (name, { table, send }) => {
      const service = name as ServiceName
      const { url, ready, readiness } = await start(service, environmentOf(service))
      await ready()
      const api = apiClient(url, testIdentity(identities)).as(adminPrincipal())
      const admin = new pg.Client({ connectionString: database.url })
      await admin.connect()
      const ofService = [roleOf(service.replace('-', '_'))]
      const waiting = "select 1 from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'"
      try {
        await admin.query('begin')
        await admin.query(`lock table ${table} in access exclusive mode`)
        const sent = send(api)
        await expect.poll(async () => (await admin.query(waiting, ofService)).rowCount).toBeGreaterThan(0)
        await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = $1', ofService)
        const { status, headers } = await sent
        expect([status, headers['retry-after']]).toEqual([503, '2'])
        await admin.query('rollback')
        await expect.poll(async () => (await send(api)).status).toBeLessThan(300)
        await expect.poll(async () => (await readiness())?.status).toBe('ready')
      } finally {
        // Releases the lock for the retry.
        await admin.end()
      }
    },
  )

  it.each(Object.entries(transactions))(
    '%s survives 50 kills of random database connections: a request gets its answer or 503, never 500',
    async (name, { send }) => {
      const service = name as ServiceName
      const { url, ready } = await start(service, environmentOf(service))
      await ready()
      const api = apiClient(url, testIdentity(identities)).as(adminPrincipal())
      const unexpected: number[] = []
      await killConnections(service, async () => {
        const { status } = await send(api)
        if (status >= 300 && status !== 503) unexpected.push(status)
      })
      expect(unexpected).toEqual([])
      await expect.poll(async () => (await send(api)).status).toBeLessThan(300)
    },
  )

  it('notifier survives 50 kills of random database connections: the mail of every event meanwhile is queued', async () => {
    const { ready, exit } = await start('notifier', environmentOf('notifier'))
    await ready()
    let hasEnded = false
    void exit.then(() => {
      hasEnded = true
    })
    const options = { brokers: [common.KAFKA_BROKERS ?? ''], topicPrefix: common.KAFKA_TOPIC_PREFIX ?? '' }
    const bus = await openKafkaBus({ ...options, clientId: 'test', log: createLogger('test', 'silent') })
    await killConnections('notifier', async (admin) => {
      const [id, userId] = [newId(), newId()]
      await bus.publish([testEvent('auth.password-changed', userId, { userId }, id)])
      const queued = async () =>
        (await admin.query('select from notifier.deliveries where event_id = $1', [id])).rowCount === 1
      await waitUntil(async () => hasEnded || (await queued()), `the mail of ${id}`)
      expect(hasEnded).toBe(false)
    })
    await bus.close()
    await ready()
    expect(hasEnded).toBe(false)
  })

  it('every service that uses PostgreSQL has a test that kills its connections', () => {
    expect([...Object.keys(transactions), 'notifier'].toSorted()).toEqual(onPostgres.toSorted())
  })

  /** Kills 50 of a service's connections one by one, each during a request that uses them. */
  async function killConnections(service: ServiceName, use: (admin: pg.Client) => Promise<void>): Promise<void> {
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    const killOne =
      'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 order by random() limit 1'
    const ofService = [roleOf(service.replace('-', '_'))]
    try {
      for (let kills = 0; kills < 50; ) {
        const [{ rowCount }] = await Promise.all([admin.query(killOne, ofService), use(admin)])
        kills += rowCount ?? 0
      }
    } finally {
      await admin.end()
    }
  }

  it('refuse any identity statement signed with the key of a service that may not make it', async () => {
    const { url, ready } = await start('billing', environmentOf('billing'))
    await ready()
    const keysOf = createIdentities(identities)
    const status = async (statement: string) =>
      (await fetch(`${url}/api/admin/plans`, { headers: { 'x-identity': statement } })).status
    const admin = adminPrincipal()
    expect(await status(keysOf('gateway').sign(admin))).toBe(200)
    expect(await status(keysOf('chat').sign(servicePrincipal('chat')))).toBe(200)
    for (const principal of [admin, guestPrincipal(), servicePrincipal('gateway'), servicePrincipal('auth')])
      expect([principal, await status(keysOf('chat').sign(principal))]).toEqual([principal, 401])
    expect(await status(createIdentities()('gateway').sign(admin))).toBe(401)
  })

  it('list their dead letters and replay them', async () => {
    const log = createLogger('test', 'silent')
    const topicPrefix = common.KAFKA_TOPIC_PREFIX ?? ''
    const brokers = [common.KAFKA_BROKERS ?? '']
    const bus = await openKafkaBus({ brokers, topicPrefix, clientId: 'test', log, retryDelaysMs: [] })
    const group = 'billing.accounts-and-settlements'
    const fail = (): Promise<void> => Promise.reject(new Error('a bug'))
    const registered = testEvent('auth.user-registered', 'ann', { userId: 'ann' })
    const publish = (): Promise<boolean> =>
      bus.publish([registered]).then(
        () => true,
        () => false,
      )
    let letters = 0
    try {
      letters = (await bus.deadLetters(group)).length + 1
      await bus.subscribe({ group, handlers: { 'auth.user-registered': fail } })
      await expect.poll(publish).toBe(true)
      await expect.poll(async () => (await bus.deadLetters(group)).length).toBe(letters)
    } finally {
      await bus.close()
    }
    const command = (...args: string[]) => runCommand('billing', ['dead-letters', ...args])
    expect(await command('list')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`user-registered ${registered.id}: `),
    })
    expect(await command('replay')).toMatchObject({ code: 0, output: expect.stringContaining(`${letters} handled`) })
    expect(await command('list')).toMatchObject({ code: 0, output: expect.stringContaining(`${group}: 0`) })
    expect(await command('eat')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Usage: dead-letters list | replay'),
    })
  })

  it('list and replay the dead letters of all groups of their service', async () => {
    const consuming = serviceNames.filter((service) => groupsOf(service).length > 0)
    const usages = consuming.map(async (service) => {
      const { code, output } = await runCommand(service, ['dead-letters', 'eat'])
      return [service, code, /: ([\w.-]+(?:, [\w.-]+)*)\n$/.exec(output)?.[1]?.split(', ').sort()]
    })
    expect(await Promise.all(usages)).toEqual(consuming.map((service) => [service, 1, [...groupsOf(service)].sort()]))
  })

  it("reset a user's password with nothing but the store's address", async () => {
    const { POSTGRES_URL = '' } = environmentOf('auth')
    const given = await runCommand('auth', ['reset-password', 'admin'], { POSTGRES_URL })
    expect(given).toMatchObject({ code: 0, output: expect.stringMatching(/^New password of admin: \S{12,} /m) })
    expect(await runCommand('auth', ['reset-password', 'nobody'])).toMatchObject({ code: 1 })
    expect(await runCommand('gateway', ['migrate'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('there is: doctor'),
    })
  })

  it('rotate the key that signs access tokens', async () => {
    const { POSTGRES_URL = '', AUTH_SECRETS = '' } = environmentOf('auth')
    const rotated = await runCommand('auth', ['rotate-keys'], { POSTGRES_URL, AUTH_SECRETS })
    expect(rotated).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^A new key is published: \S+\. It signs from /m),
    })
    expect(await runCommand('auth', ['rotate-keys', 'now'])).toMatchObject({ code: 1 })
  })

  /** Runs a command of a service until it exits. */
  async function runCommand(service: ServiceName, args: string[], environment = environmentOf(service)) {
    const { exit, output } = await start(service, environment, ...args)
    return { code: await exit, output: output() }
  }

  /** Signs in through the gateway with the password that auth printed. */
  async function signIn(processes: ReadonlyMap<ServiceName, ServiceProcess>): Promise<number> {
    const [username, password] = firstAdmin ?? []
    const answer = await fetch(`${processes.get('gateway')?.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: username, password }),
    })
    return answer.status
  }
}
