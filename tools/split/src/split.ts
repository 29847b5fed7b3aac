import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import { newIdentityVariables } from '@parley/kit'
import { openDataDirectory, type SplitEngines } from './data-directory.ts'
import { openEdge } from './edge.ts'
import { type FirstAdmin, firstAdminOf } from './first-admin.ts'
import { openFleet } from './fleet.ts'
import { createOutput, type Output } from './output.ts'
import type { Replica } from './replica.ts'
import { variablesOf } from './variables.ts'

export type { SplitEngines } from './data-directory.ts'
export type { Replica } from './replica.ts'

/** What a split system is made of. */
export interface SplitOptions {
  readonly engines: SplitEngines
  /** Processes of each service; one unless told. */
  readonly replicas?: number
  /** Base URL of what answers as DeepSeek; the demo answers for every provider that is named neither here nor in `environment`. */
  readonly provider?: string
  /** Further variables, each for the services that have it. */
  readonly environment?: Readonly<Record<string, string>>
  /** Of the ingress and of the inbox's page; free ones unless told. */
  readonly port?: number
  readonly inboxPort?: number
  /** Folder that stands for the system's data, to start it again on them; a new one unless told. */
  readonly dataDir?: string
  /** Folder of the built SPA; that of the web workspace unless told. */
  readonly webDir?: string
  /** Is handed each line that a process writes, its name before it. */
  readonly show?: (line: string) => void
}

/** A running Parley whose services are processes of their own, on engines that others may use as well. */
export interface Split {
  /** Where people reach it. */
  readonly url: string
  readonly inboxUrl: string
  readonly admin: FirstAdmin
  readonly dataDir: string
  /** Of the system's own database, as the superuser. */
  readonly postgresUrl: string
  readonly topicPrefix: string
  readonly keyPrefix: string
  /** Base URL of a service's balancer. */
  urlOf(service: ServiceName): string
  replicas(service: ServiceName): readonly Replica[]
  /** How often another process took the place of one that ended, in all services together. */
  restarts(): number
  /** What all processes wrote, each line with its writer's name. */
  output(): string
  /** Ends it as Ctrl-C does, the gateway first; the data stay. Resolves to 0, or to 1 when a process did not end well. Idempotent. */
  stop(): Promise<number>
  /** Kills every process of a service at once; the data stay. */
  kill(): Promise<void>
  /** Kills what still runs and removes the data. */
  dispose(): Promise<void>
}

const defaultGraceSeconds = 30
const builtWebDir = join(import.meta.dirname, '../../../web/dist')

/**
 * Starts every service, what stands before them, and what stands in for mail and models.
 * @throws Error with what the processes wrote, unless that was shown, when one ends before all are ready
 */
export async function startSplit(options: SplitOptions): Promise<Split> {
  const output = createOutput(options.show ?? (() => undefined))
  const things = new AsyncDisposableStack()
  try {
    return await openSplit(options, output, things)
  } catch (error) {
    await things.disposeAsync()
    if (options.show !== undefined) throw error
    throw new Error(`${(error as Error).message}\n${output.text()}`, { cause: error })
  }
}

async function openSplit(options: SplitOptions, output: Output, things: AsyncDisposableStack): Promise<Split> {
  const { engines, replicas = 1, port = 0, inboxPort = 0, webDir = builtWebDir } = options
  const given = givenVariables(options)
  const folder = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-split-')))
  const data = await openDataDirectory(folder, engines)
  const fleet = things.adopt(await openFleet({ replicas, output }), (opened) => opened.close())
  const gatewayUrl = fleet.urls.gateway
  const edge = await openEdge({ gatewayUrl, port, inboxPort, mailFolder: join(folder, 'inbox'), webDir }, things)
  const environment = { engines, data, identity: newIdentityVariables(), urls: fleet.urls, given, ...edge }
  await fleet.start((service, own) => variablesOf(service, own, environment))
  const stop = async (): Promise<number> => {
    const well = await fleet.stop(Number(given.STOP_GRACE_SECONDS ?? defaultGraceSeconds) * 1000)
    await things.disposeAsync()
    return well ? 0 : 1
  }
  return {
    url: edge.publicUrl,
    inboxUrl: edge.inboxUrl,
    admin: await firstAdminOf(data, output.text(), given),
    dataDir: folder,
    postgresUrl: data.postgresUrl,
    topicPrefix: data.topicPrefix,
    keyPrefix: data.keyPrefix,
    urlOf: (service) => fleet.urls[service],
    replicas: fleet.replicas,
    restarts: fleet.restarts,
    output: output.text,
    stop,
    kill: () => things.disposeAsync(),
    async dispose() {
      await things.disposeAsync()
      await data.drop()
    },
  }
}

function givenVariables({ provider, environment }: SplitOptions): Record<string, string> {
  const scripted = provider && { DEEPSEEK_BASE_URL: provider, DEEPSEEK_API_KEY: 'a key of the fake provider' }
  return { ...scripted, ...environment }
}
