import { join } from 'node:path'
import { type ServiceName, serviceNames } from '@parley/contracts'
import { startBalancer } from './balancer.ts'
import type { Warden } from './open-warden.ts'
import type { Output } from './output.ts'
import { createPortOffice } from './ports.ts'
import { type Replica, type SupervisedReplica, superviseReplica } from './replica.ts'
import type { ProcessEnd } from './service-process.ts'

const root = join(import.meta.dirname, '../../..')
/** The front goes first, so that nothing new comes in; who is called by the others goes last. */
const stopStages: Readonly<Record<ServiceName, number>> = {
  gateway: 0,
  realtime: 0,
  chat: 1,
  'llm-router': 2,
  billing: 3,
  notifier: 3,
  auth: 4,
}
const lastStage = Math.max(...Object.values(stopStages))

/** Every service's processes and the balancers before them. */
export interface Fleet {
  /** Address of each service's balancer. */
  readonly urls: Readonly<Record<ServiceName, string>>
  replicas(service: ServiceName): readonly Replica[]
  /** How often another process took the place of one that ended. */
  restarts(): number
  /** Starts all processes at once and resolves when all are ready. @throws Error when one ends before */
  start(variablesOf: VariablesOf): Promise<void>
  /** SIGTERM, the gateway first; SIGKILL to those that take longer than the grace. Resolves to whether all ended well. Idempotent. */
  stop(graceMs: number): Promise<boolean>
  /** Kills what still runs and closes the balancers. Idempotent. */
  close(): Promise<void>
}

/** What a process of a service that listens on this port is told. */
export type VariablesOf = (service: ServiceName, port: number) => Record<string, string>

/** What a fleet is made of. */
export interface FleetOptions {
  /** Processes of each service. */
  readonly replicas: number
  readonly output: Output
  readonly warden: Warden
}

/** Opens the balancers; nothing runs behind them yet. */
export async function openFleet({ replicas: count, output, warden }: FleetOptions): Promise<Fleet> {
  const fleet = new Map<ServiceName, SupervisedReplica[]>(serviceNames.map((name) => [name, []]))
  const of = (service: ServiceName): SupervisedReplica[] => fleet.get(service) ?? []
  const all = (): SupervisedReplica[] => [...fleet.values()].flat()
  const { balancers, urls } = await openBalancers(of)
  const newPort = createPortOffice()

  const startOne = async (service: ServiceName, nth: number, variablesOf: VariablesOf): Promise<void> => {
    const port = await newPort()
    const main = join(root, 'services', service, 'src/main.ts')
    const command = { name: `${service}#${nth}`, port, main, environment: variablesOf(service, port), output, warden }
    const replica = superviseReplica(command)
    of(service).push(replica)
    await replica.started()
  }
  return {
    urls,
    replicas: of,
    restarts: () => all().reduce((sum, replica) => sum + replica.restarts, 0),
    async start(variablesOf) {
      const numbers = Array.from({ length: count }, (_, index) => index + 1)
      await Promise.all(serviceNames.flatMap((name) => numbers.map((nth) => startOne(name, nth, variablesOf))))
    },
    async stop(graceMs) {
      const ends: ProcessEnd[] = []
      for (let stage = 0; stage <= lastStage; stage += 1) {
        const leaving = serviceNames.filter((name) => stopStages[name] === stage).flatMap(of)
        ends.push(...(await Promise.all(leaving.map((replica) => replica.stop(graceMs)))))
      }
      return ends.every(({ code }) => code === 0)
    },
    async close() {
      await Promise.all(all().map((replica) => replica.destroy()))
      await Promise.all(balancers.map((balancer) => balancer.close()))
    },
  }
}

async function openBalancers(of: (service: ServiceName) => readonly Replica[]) {
  const entries = await Promise.all(
    serviceNames.map(async (name) => [name, await startBalancer(() => of(name))] as const),
  )
  const urls = Object.fromEntries(entries.map(([name, { url }]) => [name, url])) as Record<ServiceName, string>
  return { balancers: entries.map(([, balancer]) => balancer), urls }
}
