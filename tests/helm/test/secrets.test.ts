import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { allServices } from '@parley/all-in-one/services'
import { keyWindowService, serviceNames } from '@parley/contracts'
import { processSchema } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { helm, podOf, render } from '../src/chart.ts'
import { chartEntries } from '../src/services.ts'

const root = join(import.meta.dirname, '../../..')
const program = join(root, 'deploy/secrets.mjs')

interface Service {
  readonly name: string
  readonly uses: readonly string[]
}
type Given = Readonly<Partial<Record<'postgres' | 'mongo' | 'redis' | 'kafka', string>>>
interface Script {
  makeClusterSecrets(folder: string, given: Given, services?: readonly Service[]): Readonly<Record<string, string>>
  servicesOfCompose(): readonly Service[]
}
// Loaded as by node, without the test runner's module transforms.
const { makeClusterSecrets, servicesOfCompose } = createRequire(import.meta.url)(program) as Script

const given = {
  postgres: 'postgres://db.example.org:5432/parley?sslmode=verify-full',
  mongo: 'mongodb+srv://cluster.example.org/?retryWrites=true',
  redis: 'rediss://redis.example.org:6379',
  kafka: 'kafka-0.example.org:9096,kafka-1.example.org:9096',
}
const entries = Object.entries(chartEntries())
const usersOf = (engine: string) => entries.filter(([, { engines }]) => engines.includes(engine)).map(([name]) => name)
const engineOf: Readonly<Record<string, string>> = {
  POSTGRES_URL: 'postgres',
  MONGO_URL: 'mongo',
  REDIS_URL: 'redis',
  KAFKA_PASSWORD: 'kafka',
}

describe('the secrets of a cluster with engines of its own', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** The Secrets' contents by name. */
  function secretsOf(
    files: Readonly<Record<string, string>>,
  ): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const { items } = JSON.parse(files['secrets.json'] ?? '') as {
      readonly items: readonly { metadata: { name: string; labels: object }; stringData: Record<string, string> }[]
    }
    // By which helm/README.md backs them up.
    for (const { metadata } of items) expect(metadata.labels).toEqual({ 'app.kubernetes.io/part-of': 'parley' })
    return Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, stringData]))
  }

  it('have each variable that a service needs, in a form that it accepts, and nothing for others', () => {
    const secrets = secretsOf(makeClusterSecrets(folder, given))
    for (const service of allServices) {
      const shape = processSchema(service).shape as Readonly<Record<string, z.core.$ZodType>>
      const { required = [], secrets: known = [] } = chartEntries()[service.name] ?? {}
      const own = secrets[`parley-keys-${service.name}`] ?? {}
      const ofEngines = Object.entries(engineOf).flatMap(([variable, engine]) => {
        const value = secrets[`parley-${engine}`]?.[service.name]
        return value === undefined ? [] : [[variable, value] as const]
      })
      const all = { ...own, ...Object.fromEntries(ofEngines) }
      const faults = Object.entries(all).filter(
        ([variable, value]) => !known.includes(variable) || !z.safeParse(shape[variable] ?? z.never(), value).success,
      )
      expect([service.name, faults]).toEqual([service.name, []])
      expect(required.filter((name) => name !== 'SMTP_URL' && !(name in all))).toEqual([])
    }
    for (const engine of Object.values(engineOf)) {
      expect(Object.keys(secrets[`parley-${engine}`] ?? {}).sort()).toEqual(usersOf(engine))
    }
    expect(Object.keys(secrets['parley-keys-auth'] ?? {})).toContain('ADMIN_PASSWORD')
  })

  it.skipIf(helm === undefined)('are all that the chart mounts, by the values that name them (needs helm)', () => {
    const files = makeClusterSecrets(folder, given)
    const secrets = secretsOf(files)
    const values = join(folder, 'values.json')
    writeFileSync(values, files['values.json'] ?? '')
    // The mail server's URL and the providers' keys come from elsewhere.
    const others = ['parley-mail', 'parley-providers']
    const backup = 'backup={"enabled":true,"claim":{"size":"1Gi"}}'
    const mounted = render({ files: ['values-prod.yaml', values], set: [backup] })
      .flatMap((resource) => podOf(resource)?.volumes ?? [])
      .flatMap(({ projected }) => projected?.sources ?? [])
      .flatMap(({ secret: { name, items } }) => items.map(({ key }) => [name, key] as const))
      .filter(([name]) => !others.includes(name))
    expect(mounted.filter(([name, key]) => secrets[name]?.[key] === undefined)).toEqual([])
    const names = new Set(mounted.map(([name]) => name))
    expect(Object.keys(secrets).filter((name) => !names.has(name))).toEqual([])
  })

  it('are kept, also at other addresses, when a service is added', () => {
    const before = secretsOf(
      makeClusterSecrets(
        folder,
        given,
        servicesOfCompose().filter(({ name }) => name !== 'share'),
      ),
    )
    const after = secretsOf(makeClusterSecrets(folder, { ...given, redis: 'redis://10.0.0.7' }))
    const passwordsOf = (of: typeof before, engine: string) =>
      Object.entries(of[`parley-${engine}`] ?? {}).map(([name, value]) => [name, /[0-9a-f]{48}/.exec(value)?.[0]])
    for (const engine of Object.values(engineOf)) {
      const kept = passwordsOf(after, engine).filter(([name]) => name !== 'share')
      expect(kept).toEqual(passwordsOf(before, engine))
    }
    expect(after['parley-redis']?.share).toMatch(/^redis:\/\/share:[0-9a-f]{48}@10\.0\.0\.7$/)
    expect(after['parley-keys-chat']?.CHAT_SECRETS).toBe(before['parley-keys-chat']?.CHAT_SECRETS)
    expect(after['parley-keys-chat']?.IDENTITY_PUBLIC_KEYS).toContain('"kid":"share"')
  })

  it('of engines that are not given are left out', () => {
    const files = makeClusterSecrets(folder, { kafka: given.kafka })
    expect(Object.keys(secretsOf(files)).filter((name) => !name.startsWith('parley-keys-'))).toEqual(['parley-kafka'])
    expect(Object.keys(files)).toEqual(['secrets.json', 'values.json'])
    expect(JSON.parse(files['values.json'] ?? '')).toEqual({
      secrets: { existing: 'parley-keys-' },
      kafka: { existingSecret: 'parley-kafka', brokers: given.kafka },
    })
  })

  it('are those of the users that the engines’ administrators create', () => {
    const files = makeClusterSecrets(folder, given)
    const secrets = secretsOf(files)
    const signsIn = (engine: string) =>
      Object.values(secrets[`parley-${engine}`] ?? {}).map((url) => {
        const { username, password, pathname } = new URL(url)
        return { username, password, database: pathname.slice(1) }
      })
    const roles = (files['postgres.sql'] ?? '').matchAll(
      /^\\set role (.+)\n\\set schema (.+)\n\\set password (.+)\n(?=-- Creates or updates the role)/gm,
    )
    expect([...roles].map(([, username, schema, password]) => ({ username, schema, password }))).toEqual(
      signsIn('postgres').map(({ username, password }) => ({ username, schema: username, password })),
    )
    const users: object[] = []
    const existing = 'chat'
    const db = {
      getSiblingDB: (database: string) => ({
        getUser: (user: string) => (user === existing ? {} : null),
        createUser({ user, ...rights }: { readonly user: string }) {
          if (user === existing) throw new Error(`${user} exists`)
          users.push({ database, user, ...rights })
        },
        updateUser(user: string, rights: object) {
          if (user !== existing) throw new Error(`${user} does not exist`)
          users.push({ database, user, ...rights })
        },
      }),
    }
    runInNewContext(files['mongo.js'] ?? '', { db })
    expect(users).toEqual(
      signsIn('mongo').map(({ username, password: pwd, database }) => ({
        ...{ database, user: username, pwd },
        roles: [{ role: 'readWrite', db: username }],
      })),
    )
    const lines = (files['redis.acl'] ?? '').trimEnd().split('\n')
    const hashed = (password: string): string => createHash('sha256').update(password).digest('hex')
    expect(lines.map((line) => line.split(' ', 4).join(' ')).sort()).toEqual(
      signsIn('redis')
        .map(({ username, password }) => `user ${username} on #${hashed(password)}`)
        .sort(),
    )
  })

  it('give those services rights to running answers and windows of keys whose code uses them', () => {
    const codeOf = (name: string): string => {
      const source = join(root, 'services', name, 'src')
      return readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
        .map((path) => readFileSync(join(source, path), 'utf8'))
        .join()
    }
    const whose = (pattern: RegExp) => serviceNames.filter((name) => pattern.test(codeOf(name))).sort()
    const uses = (use: string) =>
      servicesOfCompose()
        .filter((service) => service.uses.includes(use))
        .map(({ name }) => name)
        .sort()
    expect(uses('streams')).toEqual(whose(/\bstreamLog\b/))
    expect(uses('key-windows')).toEqual(whose(/\bcounterOf\(keyWindowService\)/))
    expect(keyWindowService).toBe('llm-router')
  })

  it('are written by the program for nobody else to read, and again the same', () => {
    const made = join(folder, 'made')
    const run = () => {
      const options = Object.entries(given).map(([engine, value]) => `--${engine}=${value}`)
      return execFileSync(process.execPath, [program, ...options, made], { encoding: 'utf8' })
    }
    const names = ['secrets.json', 'values.json', 'postgres.sql', 'mongo.js', 'redis.acl']
    expect(run().trimEnd().split('\n').slice(0, -1)).toEqual(names.map((name) => join(made, name)))
    const all = () => names.map((name) => readFileSync(join(made, name), 'utf8'))
    for (const name of names) expect(statSync(join(made, name)).mode & 0o077).toBe(0)
    expect(statSync(join(made, 'kept')).mode & 0o077).toBe(0)
    const before = all()
    // Without the reminder that the folder must be kept.
    expect(run().trimEnd().split('\n')).toEqual(names.map((name) => join(made, name)))
    expect(all()).toEqual(before)
  })

  it('are not made of addresses that lack or exceed what is needed, nor without a folder or in two', () => {
    const options = [
      '--postgres=postgres://db.example.org',
      '--mongo=mongodb://a:b@c.example.org',
      '--redis=redis.example.org',
      '--kafka=kafka.example.org',
    ]
    const { status, stderr } = spawnSync(process.execPath, [program, ...options, folder], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.split(':', 1)[0]),
    ).toEqual(['--postgres', '--mongo', '--redis', '--kafka'])
    for (const folders of [[], [folder, 'another']]) {
      const { status, stderr } = spawnSync(process.execPath, [program, ...folders], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, expect.stringContaining('Usage: ')])
    }
    expect(readdirSync(folder)).toEqual([])
  })
})
