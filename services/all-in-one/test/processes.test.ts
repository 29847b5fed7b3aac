import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import { type ServiceProcess, startServiceProcess } from '@parley/testing'
import { afterEach, describe, expect, it } from 'vitest'

/** The variables without a default, beside those that every service has. */
const needed: Readonly<Record<ServiceName, readonly string[]>> = {
  auth: ['POSTGRES_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'PUBLIC_URL', 'BILLING_URL'],
  billing: ['POSTGRES_URL', 'KAFKA_BROKERS', 'AUTH_URL'],
  chat: ['MONGO_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'AUTH_URL', 'LLM_ROUTER_URL', 'BILLING_URL'],
  gateway: ['REDIS_URL', 'PUBLIC_URL', 'AUTH_URL', 'CHAT_URL', 'LLM_ROUTER_URL', 'BILLING_URL', 'REALTIME_URL'],
  'llm-router': ['POSTGRES_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'AUTH_URL'],
  notifier: ['POSTGRES_URL', 'KAFKA_BROKERS', 'AUTH_URL', 'PUBLIC_URL', 'SMTP_URL'],
  realtime: ['KAFKA_BROKERS', 'REDIS_URL', 'AUTH_URL', 'CHAT_URL', 'BILLING_URL', 'PUBLIC_URL'],
}
const services = Object.keys(needed) as ServiceName[]

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

describe('the variables of a process', () => {
  it.each(services)(
    '%s: all that are missing are named at once, without a stack, and it exits with 1',
    async (service) => {
      const { exit, output } = await start(service, {})
      expect(await exit).toBe(1)
      const missing = ['INTERNAL_SECRET', ...needed[service]].map((name) => `\n  ${name}: must be set`)
      expect(output()).toMatch(/^Configuration is wrong:/)
      for (const line of missing) expect(output()).toContain(line)
      expect(output().trim().split('\n')).toHaveLength(missing.length + 1)
    },
  )

  it('are read from files; one that cannot be read is named, and no value is told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'))
    const file = join(folder, 'secret')
    await writeFile(file, 'too short\n')
    const environment = {
      PORT: 'none',
      INTERNAL_SECRET_FILE: file,
      POSTGRES_URL_FILE: join(folder, 'missing'),
      KAFKA_BROKERS: 'somewhere',
    }
    const { exit, output } = await start('billing', environment)
    expect(await exit).toBe(1)
    for (const line of [
      'PORT: ',
      'INTERNAL_SECRET: must have at least 32 characters',
      'POSTGRES_URL_FILE: cannot be read (ENOENT)',
      'KAFKA_BROKERS: must be host:port',
    ])
      expect(output()).toContain(`\n  ${line}`)
    expect(output()).not.toMatch(/too short|somewhere/)
    await rm(folder, { recursive: true })
  })

  it('an unknown command is named', async () => {
    const { exit, output } = await start('billing', {}, 'migrat')
    expect([await exit, output()]).toEqual([1, 'Unknown command migrat; there is: migrate, dead-letters\n'])
  })
})
