import type { ServiceName } from '@parley/contracts'
import type { Stage } from '../stage.ts'

/** The victims, in turn. */
export const victims = ['bus', 'llm-router', 'gateway', 'billing'] as const
type Victim = (typeof victims)[number]

/** Number of kills by victim. */
export type Kills = Record<Victim, number>

/**
 * Kills the victims in turn, and restarts them.
 * @param next resolves when the next kill is due, to whether there is one
 * @param waits whether a kill waits until the previous victim is back
 */
export async function killInTurn(
  stage: Stage,
  next: (nth: number) => Promise<boolean>,
  waits: boolean,
): Promise<Kills> {
  const kills: Kills = { bus: 0, 'llm-router': 0, gateway: 0, billing: 0 }
  const back: Promise<void>[] = []
  for (let nth = 0; await next(nth); nth += 1) {
    const victim = victims[nth % victims.length] as Victim
    const returned = victim === 'bus' ? killBus(stage) : killReplica(stage, victim, kills[victim])
    kills[victim] += 1
    if (waits) await returned
    else back.push(returned)
  }
  await Promise.all(back)
  return kills
}

async function killBus({ engines: { kafka } }: Stage): Promise<void> {
  await kafka.kill('SIGKILL')
  await kafka.start()
}

/** Alternates between the replicas, so that one of them is always available. */
async function killReplica({ split }: Stage, service: ServiceName, turn: number): Promise<void> {
  const replicas = split.replicas(service)
  const victim = replicas[turn % replicas.length]
  if (victim === undefined) throw new Error(`${service} has no replica`)
  await victim.kill('SIGKILL')
  await victim.restarted()
}
