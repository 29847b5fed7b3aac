import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { allServices } from '@parley/all-in-one/services'
import { type ServiceName, serviceNames } from '@parley/contracts'
import { createIdentityCodec, type EngineKind, identityVariables, processSchema } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8')

/** The entries of one section of the compose file, by name. */
function entriesOf(part: string): ReadonlyMap<string, string> {
  const text = new RegExp(`^${part}:\\n((?:  .*\\n|\\n)*)`, 'm').exec(compose)?.[1] ?? ''
  const found = text.split(/^ {2}(?=[a-z][\w-]*:)/m).map((entry) => /^([\w-]+):(.*)$/s.exec(entry))
  return new Map(found.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? '']] : [])))
}
const containers = entriesOf('services')
const networks = entriesOf('networks')
const networksOf = (container: string): string[] =>
  /^ {4}networks: \[(.+)\]$/m.exec(containers.get(container) ?? '')?.[1]?.split(', ') ?? []
const groupsOf = (container: string): string[] =>
  [...(containers.get(container) ?? '').matchAll(/^ {4}group_add: \["(\d+)"\]$/gm)].map(([, group = '']) => group)

const engines: readonly EngineKind[] = ['postgres', 'mongo', 'redis', 'kafka']
const usersOf = (kind: EngineKind) =>
  allServices
    .filter((service) => Object.values(service.engines).some((engine) => engine?.kind === kind))
    .map(({ name }) => name)
    .sort()

/** Variables set in a section of the compose file, including those read from files. */
const variablesIn = (text: string, indent: number): string[] =>
  [...text.matchAll(new RegExp(`^ {${indent}}([A-Z][A-Z0-9_]*?)(?:_FILE)?:`, 'gm'))].map(([, name = '']) => name)
const part = (name: string): string => new RegExp(`^x-${name}: .*\\n((?:  .*\\n)*)`, 'm').exec(compose)?.[1] ?? ''
const given = { common: variablesIn(part('common'), 2), kafka: variablesIn(part('kafka-client'), 2) }
/** Variables set by the image itself. */
const ofImage = ['HOST', 'PORT']

/** Megabytes, as in chat's README: a PDF, two images, an import, and bodies being received or queued. */
const readersMb = 208 + 2 * 100 + 224 + 64 + 96

describe('the compose deployment', () => {
  it('was parsed', () => {
    expect([...containers.keys()]).toEqual(expect.arrayContaining([...serviceNames, ...engines, 'edge']))
    expect(networks.size).toBeGreaterThan(5)
  })

  it('reads every variable that its README lists, and passes on those of its start scripts', () => {
    const readme = readFileSync(join(root, 'deploy/README.md'), 'utf8')
    const section = /^## Variables\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? ''
    const listed = [...section.matchAll(/^\| (`.+?`) \|/gm)].flatMap(
      ([, names = '']) => names.match(/(?<=`)[A-Z_]+(?=`)/g) ?? [],
    )
    const passed = readdirSync(join(root, 'deploy/compose'))
      .filter((name) => name.endsWith('.sh'))
      .flatMap(
        (name) => readFileSync(join(root, 'deploy/compose', name), 'utf8').match(/(?<=\$\{)[A-Z_]+(?=:-)/g) ?? [],
      )
    expect(listed).toContain('PUBLIC_URL')
    expect(passed).toContain('REDIS_MAXMEMORY')
    const isRead = (name: string): boolean => new RegExp(`\\$\\{${name}\\b|^ +${name}:$`, 'm').test(compose)
    expect([...listed, ...passed].filter((name) => !isRead(name))).toEqual([])
  })

  it.each(serviceNames)('gives %s its own secrets, group and database users only', (service) => {
    const text = containers.get(service) ?? ''
    const folders = [...text.matchAll(/\/run\/secrets\/([\w-]+)\//g)].map(([, folder]) => folder)
    expect(new Set(folders)).toEqual(new Set([service]))
    expect(groupsOf(service)).toHaveLength(1)
    const others = [...containers.keys()].filter(
      (name) => name !== service && groupsOf(name)[0] === groupsOf(service)[0],
    )
    expect(others).toEqual([])
    expect(/KAFKA_USERNAME: (\S+)/.exec(text)?.[1] ?? service).toBe(service)
    expect(text).not.toMatch(/(PASSWORD|SECRET|_URL): .*:\/\/[^/\s]*:[^/\s]*@/)
  })

  it.each(engines)(
    'admits to the network of %s exactly the services defined with that engine, and gives it no internet',
    (engine) => {
      expect(networks.get(engine)).toContain('internal: true')
      expect(networksOf(engine)).toEqual([engine])
      const inside = serviceNames.filter((service) => networksOf(service).includes(engine)).sort()
      expect(inside).toEqual(usersOf(engine))
      expect(inside).not.toEqual([])
    },
  )

  it.each(allServices)('sets every variable that $name needs, and none that it does not know', (service) => {
    const text = containers.get(service.name) ?? ''
    const own = variablesIn(text, 6)
    const all = [...ofImage, ...own, ...given.common, ...(text.includes('*kafka-client') ? given.kafka : [])]
    const shape = Object.entries<z.core.$ZodType>(processSchema(service).shape)
    const needed = shape.filter(([, schema]) => !z.safeParse(schema, undefined).success).map(([name]) => name)
    expect(needed.filter((name) => !all.includes(name))).toEqual([])
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter((name) => !shape.some(([known]) => known === name))).toEqual([])
  })

  it('lets only the notifier reach the inbox, and only the router reach the demo provider', () => {
    const inNetwork = (name: string) =>
      [...containers.keys()].filter((container) => networksOf(container).includes(name))
    expect(inNetwork('mail')).toEqual(['notifier', 'inbox'])
    expect(inNetwork('demo')).toEqual(['llm-router', 'demo'])
    expect(networksOf('inbox')).toEqual(['mail'])
    expect(networksOf('demo')).toEqual(['demo'])
  })

  it('lets services, and the edge that relays them, run on for longer than running answers have when they are stopped', () => {
    const secondsOf = (name: string, text = ''): number => Number(new RegExp(`\\b${name}: (\\d+)`).exec(text)?.[1])
    const answers = secondsOf('STOP_GRACE_SECONDS', part('common'))
    expect(secondsOf('stop_grace_period', part('program'))).toBeGreaterThan(answers)
    expect(secondsOf('stop_grace_period', containers.get('edge'))).toBeGreaterThan(answers)
  })

  it('gives chat the memory of its readers at their limits, like the chart', () => {
    const [, gigabytes] = /^ {4}mem_limit: (\d+)g$/m.exec(containers.get('chat') ?? '') ?? []
    expect(Number(gigabytes) * 1024).toBeGreaterThanOrEqual(200 + readersMb)
    const values = readFileSync(join(root, 'helm/parley/values.yaml'), 'utf8')
    expect(/^ {2}chat:\n(?: {4}.*\n)*? +limits: \{ memory: (\w+) \}$/m.exec(values)?.[1]).toBe(`${gigabytes}Gi`)
  })

  it('makes services sign in to Kafka, which denies everything that was not granted', () => {
    const kafka = containers.get('kafka') ?? ''
    const set = Object.fromEntries(
      [...kafka.matchAll(/^ {6}(KAFKA_\w+): (.+)$/gm)].map(([, name, value]) => [name, value]),
    )
    expect(set).toMatchObject({
      KAFKA_LISTENERS: expect.stringMatching(/^SERVICES:\/\/:9092,(\w+:\/\/localhost:\d+,?)+$/),
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: expect.stringMatching(/(^|,)SERVICES:SASL_PLAINTEXT(,|$)/),
      KAFKA_SASL_ENABLED_MECHANISMS: 'PLAIN',
      KAFKA_OPTS: '-Djava.security.auth.login.config=/run/secrets/kafka/jaas.conf',
      KAFKA_AUTHORIZER_CLASS_NAME: 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      // Only connections from inside the container are anonymous.
      KAFKA_SUPER_USERS: 'User:kafka-rights;User:ANONYMOUS',
    })
    expect(kafka).not.toContain('ALLOW_EVERYONE_IF_NO_ACL_FOUND')
  })

  it('gives internet access only to services that call external services or publish a port', () => {
    const open = [...networks].filter(([, text]) => !text.includes('internal: true')).map(([name]) => name)
    expect(open.sort()).toEqual(['egress', 'ingress', 'mail'])
    const reaching = allServices.filter(({ reachesOutside }) => reachesOutside === true).map(({ name }) => name)
    expect(reaching.length).toBeGreaterThan(0)
    expect(serviceNames.filter((service) => networksOf(service).includes('egress')).sort()).toEqual(reaching.sort())
  })
})

describe('the secrets of a deployment', () => {
  interface Reader {
    readonly name: string
    readonly group: number
    readonly uses: readonly string[]
  }
  interface Script {
    makeSecrets(folder: string, services: readonly Reader[], own: (path: string, group: number) => void): void
    readServices(text: string): readonly Reader[]
  }
  // Loaded as in the container, without the test runner's module transforms.
  const { makeSecrets, readServices } = createRequire(import.meta.url)(
    join(root, 'deploy/compose/secrets.mjs'),
  ) as Script
  const services = readServices(/^ {6}SERVICES: \|\n((?: {8}.*\n)+)/m.exec(compose)?.[1] ?? '')
  let folder: string
  let owners: Map<string, number>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
    owners = new Map()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function make(): void {
    makeSecrets(folder, services, (path, group) => owners.set(path.slice(folder.length + 1), group))
  }
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
  const all = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
        .map((path) => [path, read(path)]),
    )
  const files = (name: string) => Object.entries(all()).filter(([path]) => path.endsWith(`/${name}`))

  it('are generated for every service, and for the engines it is defined with', () => {
    expect(services.map(({ name }) => name).sort()).toEqual([...serviceNames].sort())
    for (const engine of engines) {
      const users = services.filter(({ uses }) => uses.includes(engine)).map(({ name }) => name)
      expect([engine, users.sort()]).toEqual([engine, usersOf(engine)])
    }
  })

  it('are stored in the folder of the group that their reader has in compose', () => {
    make()
    for (const container of containers.keys()) {
      const [group] = groupsOf(container)
      const name = container === 'roles' ? 'postgres' : container
      if (group !== undefined) expect([container, owners.get(name)]).toEqual([container, Number(group)])
    }
  })

  it('put a user of its own into the URLs of each service, with a unique password', () => {
    make()
    for (const name of ['postgres-url', 'redis-url', 'mongo-url']) {
      const urls = files(name).map(([path, text]) => ({ service: path.split('/')[0] ?? '', url: new URL(text) }))
      expect(urls.map(({ url }) => url.username)).toEqual(
        urls.map(({ service }) => service.replace('-', name === 'postgres-url' ? '_' : '-')),
      )
      expect(new Set(urls.map(({ url }) => url.password)).size).toBe(urls.length)
      const users = Object.entries({
        'postgres-url': 'POSTGRES_URL',
        'redis-url': 'REDIS_URL',
        'mongo-url': 'MONGO_URL',
      })
      const variable = users.find(([file]) => file === name)?.[1] ?? ''
      expect(urls.map(({ service }) => service).sort()).toEqual(
        serviceNames.filter((service) => containers.get(service)?.includes(variable)).sort(),
      )
    }
    const byService = serviceNames.map((service) =>
      Object.entries(all()).filter(([path]) => path.startsWith(`${service}/`)),
    )
    const shared = byService
      .flat()
      .filter(([path, text], _nth, every) =>
        every.some(([other, same]) => other.split('/')[0] !== path.split('/')[0] && same === text),
      )
    expect(shared.every(([path]) => path.endsWith('/identity-keys.json'))).toBe(true)
  })

  it('include separate sealing secrets for auth and chat', () => {
    make()
    expect(files('secrets').map(([path]) => path)).toEqual(['auth/secrets', 'chat/secrets'])
    expect(new Set(files('secrets').map(([, text]) => text)).size).toBe(2)
  })

  it('let each service sign its identity statements, and all others verify them', () => {
    make()
    const keysOf = (service: ServiceName) => {
      const texts = {
        IDENTITY_PRIVATE_KEY: read(`${service}/identity-key.pem`),
        IDENTITY_PUBLIC_KEYS: read(`${service}/identity-keys.json`),
      }
      return createIdentityCodec(service, z.object(identityVariables).parse(texts))
    }
    for (const service of serviceNames) {
      const principal = { kind: 'service', service, network: 'internal' } as const
      const statement = keysOf(service).sign(principal)
      expect(serviceNames.map((other) => keysOf(other).verify(statement))).toEqual(serviceNames.map(() => principal))
      expect(read(`${service}/identity-keys.json`)).not.toMatch(/"d":|PRIVATE/)
    }
  })

  it('shared by all services in an earlier version remain with auth and chat only, behind a new secret of each', () => {
    const former = 'e'.repeat(48)
    for (const service of serviceNames) {
      mkdirSync(join(folder, service))
      writeFileSync(join(folder, service, 'internal-secret'), former)
    }
    make()
    expect(files('internal-secret')).toEqual([])
    const holders = Object.entries(all()).filter(([, text]) => text.includes(former))
    expect(holders.map(([path]) => path)).toEqual(['auth/secrets', 'chat/secrets'])
    for (const [, text] of holders) expect(text).toMatch(new RegExp(`^[0-9a-f]{48},${former}$`))
    const before = all()
    make()
    expect(all()).toEqual(before)
  })

  it('give Redis a password hash of every user, and no anonymous access', () => {
    make()
    const lines = read('redis/users.acl').trimEnd().split('\n')
    expect(lines[0]).toBe('user default off resetkeys resetchannels -@all')
    const withUrl = files('redis-url').map(([path]) => path.split('/')[0])
    expect(
      lines
        .slice(1)
        .map((line) => line.split(' ')[1])
        .sort(),
    ).toEqual(['health', ...withUrl].sort())
    for (const line of lines.slice(1)) expect(line).toMatch(/^user \S+ on #[0-9a-f]{64} resetkeys resetchannels -@all /)
    for (const [, url] of files('redis-url')) expect(read('redis/users.acl')).not.toContain(new URL(url).password)
  })

  it('give Kafka the password of every user', () => {
    make()
    const known = [...read('kafka/jaas.conf').matchAll(/user_([\w-]+)="(\w+)"/g)].map(([, user, password]) => [
      user,
      password,
    ])
    expect(known.sort()).toEqual(
      files('kafka-password')
        .map(([path, text]) => [path.split('/')[0], text])
        .sort(),
    )
    const named = [...containers.keys()].filter((name) => containers.get(name)?.includes('KAFKA_USERNAME'))
    expect(known.map(([user]) => user)).toEqual(named.sort())
  })

  describe('for MongoDB', () => {
    const secrets = '/run/secrets'
    interface MadeUser {
      readonly user: string
      readonly pwd: string
      readonly roles: readonly object[]
    }
    /** Runs the script that compose runs in mongosh, against a server that handles `createUser` this way. */
    function makeUsers(createUser: (database: string, user: MadeUser) => void, existing: object | null = null) {
      const said: string[] = []
      const connected = new Set<string>()
      const connect = (url: string) => {
        connected.add(url)
        return {
          getSiblingDB: (database: string) => ({
            getUser: () => existing,
            createUser: (user: MadeUser) => createUser(database, user),
          }),
        }
      }
      const here = (path: string) => path.replace(secrets, folder)
      const fs = {
        readdirSync: (path: string) => readdirSync(here(path)),
        readFileSync: (path: string, encoding: 'utf8') => readFileSync(here(path), encoding),
        writeFileSync: (path: string, text: string) => writeFileSync(here(path), text),
        renameSync: (from: string, to: string) => renameSync(here(from), here(to)),
        statSync: (path: string) => statSync(here(path)),
        chownSync: () => undefined,
      }
      const script = readFileSync(join(root, 'deploy/compose/mongo-user.js'), 'utf8')
      runInNewContext(script, { require: () => fs, connect, print: (line: string) => void said.push(line) })
      return { said, connected: [...connected] }
    }
    const administrator = () => `mongodb://parley:${read('mongo/password')}@mongo:27017/`

    it('become users with read and write access to the database of their service only', () => {
      make()
      const made: unknown[] = []
      const { connected } = makeUsers((database, user) => void made.push({ database, ...user }))
      expect(connected).toEqual([`${administrator()}admin`])
      const expected = usersOf('mongo').map((name) => ({
        database: name,
        user: name,
        pwd: new URL(read(`${name}/mongo-url`)).password,
        roles: [{ role: 'readWrite', db: name }],
      }))
      expect(made).toEqual(expected)
      expect(expected.length).toBeGreaterThan(1)
    })

    it('change nothing about existing users', () => {
      make()
      const before = all()
      makeUsers(() => expect.unreachable(), {})
      expect(all()).toEqual(before)
    })

    it('are those of the administrator, with a warning, where the server cannot create users', () => {
      make()
      const { said } = makeUsers(() => {
        throw Object.assign(new Error('no such command'), { code: 59 })
      })
      for (const [nth, name] of usersOf('mongo').entries()) {
        expect(read(`${name}/mongo-url`)).toBe(`${administrator()}${name}?authSource=admin`)
        expect(said[nth]).toContain(`${name} connects as its administrator`)
      }
    })
  })

  it('are unchanged at the next start', () => {
    make()
    const before = all()
    make()
    expect(all()).toEqual(before)
  })

  it('of an earlier version are kept, except for URLs that now name another user', () => {
    make()
    const before = all()
    writeFileSync(join(folder, 'chat/redis-url'), 'redis://:of-everybody@redis:6379')
    rmSync(join(folder, 'kafka'), { recursive: true })
    make()
    expect(all()).toEqual(before)
  })
})
