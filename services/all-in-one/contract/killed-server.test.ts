import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import { createServiceRole } from '@parley/db'
import { startNativePostgres } from '@parley/engines'
import { freePort, newId, newIdentityVariables, urlVariable } from '@parley/kit'
import {
  adminPrincipal,
  apiClient,
  type ServiceProcess,
  startServiceProcess,
  testIdentity,
  waitUntil,
} from '@parley/testing'
import { engineUrl, onEngine } from '@parley/testing/test-engines'
import { afterEach, expect, it } from 'vitest'
import { transactions } from './transactions.ts'

const secret = 'a secret of at least thirty-two characters'
const identities = newIdentityVariables()
const names: readonly ServiceName[] = ['auth', 'billing', 'llm-router', 'notifier']
const signals: readonly NodeJS.Signals[] = Array.from({ length: 5 }, () => ['SIGKILL', 'SIGQUIT'] as const).flat()

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

onEngine('kafka', () => onEngine('redis', killsOfTheServer))

function killsOfTheServer(): void {
  it('services survive 10 kills of their database server: requests get 503 meanwhile, never 500, and succeed once it is back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-killed-server-'))
    cleanups.push(() => rm(folder, { recursive: true, force: true }))
    const server = await startNativePostgres({ folder })
    cleanups.push(() => server.close())
    const environment = await environmentOn(server.url)
    const processes = new Map<string, ServiceProcess>()
    const ended: string[] = []
    for (const name of names) {
      const one = await startServiceProcess(name, await environment(name), [])
      cleanups.push(() => {
        one.signal('SIGKILL')
        return one.exit
      })
      void one.exit.then(() => ended.push(`${name}: ${one.output()}`))
      processes.set(name, one)
    }
    for (const one of processes.values()) await one.ready()
    const stopping = new AbortController()
    const callers = Object.entries(transactions).map(([name, { send }]) => {
      const api = apiClient(processes.get(name)?.url ?? '', testIdentity(identities)).as(adminPrincipal())
      const statuses: string[] = []
      const calling = async (): Promise<void> => {
        while (!stopping.signal.aborted) {
          const { status, headers } = await send(api)
          statuses.push(status < 300 ? 'success' : `${status}, Retry-After ${headers['retry-after']}`)
        }
      }
      const done = calling()
      // Checked when all are stopped; the output shows which service has ended.
      done.catch(() => undefined)
      return { name, statuses, done }
    })
    const refused = '503, Retry-After 2'
    /** Waits until each service has given this answer once more. */
    const eachAnswers = async (answer: string): Promise<void> => {
      const from = callers.map(({ statuses }) => statuses.length)
      const all = () => callers.every(({ statuses }, nth) => statuses.includes(answer, from[nth]))
      await waitUntil(() => ended.length > 0 || all(), `${answer} of each service`)
    }
    for (const signal of signals) {
      await eachAnswers('success')
      process.kill(server.pid, signal)
      await eachAnswers(refused)
      await server.start()
    }
    await eachAnswers('success')
    stopping.abort()
    expect(ended).toEqual([])
    await Promise.all(callers.map(({ done }) => done))
    for (const { name, statuses } of callers) {
      expect([name, [...new Set(statuses)].toSorted()]).toEqual([name, [refused, 'success']])
    }
    for (const one of processes.values()) await expect.poll(async () => (await one.readiness())?.status).toBe('ready')
  })
}

/** The variables of a service; creates its database role. */
async function environmentOn(postgresUrl: string): Promise<(name: ServiceName) => Promise<Record<string, string>>> {
  const run = newId().slice(0, 8)
  const authUrl = `http://127.0.0.1:${await freePort()}`
  const common = {
    REDIS_URL: engineUrl('redis') ?? '',
    REDIS_PREFIX: `killed-server-${run}`,
    KAFKA_BROKERS: engineUrl('kafka') ?? '',
    KAFKA_TOPIC_PREFIX: `killed-server-${run}`,
    AUTH_SECRETS: secret,
    PUBLIC_URL: 'http://localhost:8080',
    ...Object.fromEntries(names.map((name) => [urlVariable(name), 'http://127.0.0.1:9'])),
    AUTH_URL: authUrl,
    SMTP_URL: 'smtp://127.0.0.1:9',
    DRAIN_DELAY_MS: '0',
  }
  return async (name) => {
    const schema = name.replaceAll('-', '_')
    const database = new URL(postgresUrl).pathname.slice(1)
    const url = await createServiceRole(postgresUrl, { role: `${schema}_${run}`, password: newId(), schema, database })
    const port = name === 'auth' && { PORT: new URL(authUrl).port }
    return { ...common, ...identities[name], POSTGRES_URL: url, ...port }
  }
}
