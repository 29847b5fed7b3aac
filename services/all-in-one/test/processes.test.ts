import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import { processSchema, type ServiceDefinition } from '@parley/kit'
import { type ServiceProcess, startServiceProcess } from '@parley/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allServices } from '../src/services.ts'

/** The required variables, except the port, which the tests set. */
const requiredBy = (service: ServiceDefinition): string[] =>
  Object.entries<z.core.$ZodType>(processSchema(service).shape)
    .filter(([name, schema]) => name !== 'PORT' && !z.safeParse(schema, undefined).success)
    .map(([name]) => name)

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
  it.each(allServices)(
    'of $name that are missing are all named at once, without a stack trace, and it exits with 1',
    async (service) => {
      const { exit, output } = await start(service.name, {})
      expect(await exit).toBe(1)
      const missing = requiredBy(service).map((name) => `\n  ${name}: must be set`)
      expect(output()).toMatch(/^Configuration is wrong:/)
      for (const line of missing) expect(output()).toContain(line)
      expect(output().trim().split('\n')).toHaveLength(missing.length + 1)
    },
  )

  it('are read from files; an unreadable file is named, and no value is printed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'))
    const file = join(folder, 'secret')
    await writeFile(file, 'no key at all\n')
    const environment = {
      PORT: 'none',
      IDENTITY_PRIVATE_KEY_FILE: file,
      POSTGRES_URL_FILE: join(folder, 'missing'),
      KAFKA_BROKERS: 'somewhere',
    }
    const { exit, output } = await start('billing', environment)
    expect(await exit).toBe(1)
    for (const line of [
      'PORT: ',
      'IDENTITY_PRIVATE_KEY: must be a private key on P-256, PKCS #8 as PEM',
      'POSTGRES_URL_FILE: cannot be read (ENOENT)',
      'KAFKA_BROKERS: must be host:port',
    ])
      expect(output()).toContain(`\n  ${line}`)
    expect(output()).not.toMatch(/no key at all|somewhere/)
    await rm(folder, { recursive: true })
  })

  it('are not read for an unknown command, which is named with the known ones', async () => {
    const { exit, output } = await start('billing', {}, 'migrat')
    expect([await exit, output()]).toEqual([1, 'Unknown command migrat; there is: migrate, dead-letters, doctor\n'])
  })
})
