import { join } from 'node:path'
import { allServices } from '@parley/all-in-one/services'
import { type ServiceName, serviceNames } from '@parley/contracts'
import { freePort, stopStages } from '@parley/kit'
import { startBalancer } from './balancer.ts'
import type { Output } from './output.ts'
import { type Replica, type SupervisedReplica, superviseReplica } from './replica.ts'
import type { ProcessEnd } from './service-process.ts'

const root = join(import.meta.dirname, '../../..')

/** The environment of a service's process on this port. */
export type VariablesOf = (service: ServiceName, port: number) => Record<string, string>

export interface FleetOptions {
  /** Processes per service. */
  readonly replicas: number
  readonly output: Output
}

/** Opens the balancers of all services, without their processes yet. */
export async function openFleet({ replicas: count, output }: FleetOptions) {
  const fleet = new Map<ServiceName, SupervisedReplica[]>(serviceNames.map((name) => [name, []]))
  const of = (service: ServiceName): SupervisedReplica[] => fleet.get(service) ?? []
  const all = (): SupervisedReplica[] => [...fleet.values()].flat()
  const { balancers, urls } = await openBalancers(of)

  const startOne = async (service: ServiceName, nth: number, variablesOf: VariablesOf): Promise<void> => {
    const port = await freePort()
    const main = join(root, 'services', service, 'src/main.ts')
    const command = {
      name: `${service}#${nth}`,
      port,
      main,
      environment: variablesOf(service, port),
      output,
    }
    const replica = superviseReplica(command)
    of(service).push(replica)
    await replica.started()
  }
  return {
    /** URLs of the services' balancers. */
    urls,
    replicas: (service: ServiceName): readonly Replica[] => of(service),
    /** The number of automatic restarts. */
    restarts: (): number => all().reduce((sum, replica) => sum + replica.restarts, 0),
    /** Starts all processes concurrently, and resolves once all are ready. @throws Error if one exits before that */
    async start(variablesOf: VariablesOf): Promise<void> {
      const numbers = Array.from({ length: count }, (_, index) => index + 1)
      await Promise.all(serviceNames.flatMap((name) => numbers.map((nth) => startOne(name, nth, variablesOf))))
    },
    /** SIGTERM, the gateway first; SIGKILL after the grace period. Resolves to whether all exited cleanly. Idempotent. */
    async stop(graceMs: number): Promise<boolean> {
      const ends: ProcessEnd[] = []
      for (const stage of stopStages(allServices)) {
        ends.push(...(await Promise.all(stage.flatMap(of).map((replica) => replica.stop(graceMs)))))
      }
      return ends.every(({ code }) => code === 0)
    },
    /** Kills running processes and closes the balancers. Idempotent. */
    async close(): Promise<void> {
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
