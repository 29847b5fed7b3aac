import type { ServiceName } from '@parley/contracts'
import type { Stage } from '../stage.ts'

/** What is killed, in turn. */
export const victims = ['bus', 'llm-router', 'gateway', 'billing'] as const
type Victim = (typeof victims)[number]

/** What was killed how often. */
export type Kills = Record<Victim, number>

/**
 * Kills one thing after the other, again and again, and starts it anew.
 * @param next resolves to whether there is another kill, once it is its time
 * @param waits whether the next one waits until what was killed is back
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

/** Its replicas take turns, so that one of them is always there. */
async function killReplica({ split }: Stage, service: ServiceName, turn: number): Promise<void> {
  const replicas = split.replicas(service)
  const victim = replicas[turn % replicas.length]
  if (victim === undefined) throw new Error(`${service} has no replica`)
  await victim.kill('SIGKILL')
  await victim.restarted()
}
