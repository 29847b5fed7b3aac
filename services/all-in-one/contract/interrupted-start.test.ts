import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AllInOneProcess, openAllInOneProcess, waitUntil } from '@parley/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { postgresIn } from './postgres-in.ts'

/** A first start creates the database, possibly on a busy machine. */
const startMs = 120_000

let folder: string
let parley: AllInOneProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-interrupted-'))
  parley = await openAllInOneProcess(folder, {})
})
afterEach(() => parley.close())

it.each([
  ['while its database is created', 'SIGTERM', 143, 'postgres'],
  ['while PostgreSQL starts', 'SIGINT', 130, 'postgres/cluster/postmaster.pid'],
  ['while its services start', 'SIGTERM', 143, 'postgres-url'],
] as const)(
  'a first start interrupted %s stops PostgreSQL and exits as %s does, and the next one is ready',
  async (_when, signal, code, sign) => {
    const { exit, ...first } = await parley.start()
    await waitUntil(() => existsSync(join(folder, sign)), sign, startMs, 5)
    first.signal(signal)
    expect(await exit).toBe(code)
    expect(postgresIn(folder)).toEqual([])
    expect(existsSync(join(folder, 'postgres-url'))).toBe(false)
    await (await parley.start()).ready(startMs)
  },
)
