import { setTimeout as pause } from 'node:timers/promises'
import { waitUntil } from '@parley/testing'
import type { World } from './world.ts'

/** A random integer from 0 up to the bound, exclusive. */
export type Random = (below: number) => number

/** A fault that ends by itself or with a restart. */
export interface ChaosFault {
  readonly name: string
  /** Resolves once killed processes have been restarted and stopped ones resumed. @param longestMs longest standstill */
  inflict(world: World, random: Random, longestMs: number): Promise<void>
}

const shortestMs = 1_000

const restart = async ({ parley }: World): Promise<void> => {
  await parley.process.exit
  await parley.start()
}

/** The postmaster may be absent while PostgreSQL is starting. */
async function killPostmaster({ parley }: World, signal: NodeJS.Signals): Promise<void> {
  const pid = await waitUntil(() => parley.postmaster(), 'the database server', 60_000)
  process.kill(pid, signal)
}

async function connectionOf({ query }: World, random: Random): Promise<number> {
  const find = async (): Promise<number | undefined> => {
    const rows = await query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() order by pid",
    )
    return rows[random(rows.length)]?.pid
  }
  return await waitUntil(find, 'a connection', 60_000)
}

/** Suspends a process for a random time, like a machine that hangs. */
async function standStill(pid: number, random: Random, longestMs: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  await pause(shortestMs + random(longestMs - shortestMs))
  process.kill(pid, 'SIGCONT')
}

/** The faults of the all-in-one Parley. */
export const chaosFaults: readonly ChaosFault[] = [
  {
    name: 'Parley kill -9',
    async inflict(world) {
      world.parley.process.signal('SIGKILL')
      await restart(world)
    },
  },
  {
    name: 'Parley and PostgreSQL kill -9',
    async inflict(world) {
      world.parley.process.signal('SIGKILL')
      await killPostmaster(world, 'SIGKILL')
      await restart(world)
    },
  },
  { name: 'PostgreSQL kill -9', inflict: (world) => killPostmaster(world, 'SIGKILL') },
  { name: 'PostgreSQL SIGQUIT', inflict: (world) => killPostmaster(world, 'SIGQUIT') },
  {
    name: 'PostgreSQL connection kill -9',
    async inflict(world, random) {
      process.kill(await connectionOf(world, random), 'SIGKILL')
    },
  },
  {
    name: 'PostgreSQL connection ended',
    async inflict(world, random) {
      await world.query('select pg_terminate_backend($1)', [await connectionOf(world, random)])
    },
  },
  {
    name: 'Parley stands still',
    async inflict({ parley }, random, longestMs) {
      parley.process.signal('SIGSTOP')
      await pause(shortestMs + random(longestMs - shortestMs))
      parley.process.signal('SIGCONT')
    },
  },
  {
    name: 'PostgreSQL connection stands still',
    async inflict(world, random, longestMs) {
      await standStill(await connectionOf(world, random), random, longestMs)
    },
  },
]
