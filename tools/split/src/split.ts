import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import { newIdentityVariables } from '@parley/kit'
import { openDataDirectory, type SplitEngines } from './data-directory.ts'
import { openEdge } from './edge.ts'
import { firstAdminOf } from './first-admin.ts'
import { openFleet } from './fleet.ts'
import { createOutput, type Output } from './output.ts'
import { variablesOf } from './variables.ts'

export type { SplitEngines } from './data-directory.ts'
export type { Replica } from './replica.ts'

export interface SplitOptions {
  readonly engines: SplitEngines
  /** Processes per service; one by default. */
  readonly replicas?: number
  /** Base URL of a stand-in for DeepSeek; the demo answers for providers set neither here nor in `environment`. */
  readonly provider?: string
  /** Further variables, passed to the services that define them. */
  readonly environment?: Readonly<Record<string, string>>
  /** Ports of the ingress and of the inbox's page; free ones by default. */
  readonly port?: number
  readonly inboxPort?: number
  /** The folder that identifies the system's data, for a restart; a new one by default. */
  readonly dataDir?: string
  /** The built SPA; that of the web workspace by default. */
  readonly webDir?: string
  /** Called with each line of output, prefixed with the process's name. */
  readonly show?: (line: string) => void
}

/** A running Parley with separate processes per service, on possibly shared engines. */
export type Split = Awaited<ReturnType<typeof openSplit>>

const defaultGraceSeconds = 30
const builtWebDir = join(import.meta.dirname, '../../../web/dist')

/**
 * Starts all services, the ingress in front of them, and the stand-ins for mail and models.
 * @throws Error if a process exits before all are ready, with the output unless `show` is set
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

async function openSplit(options: SplitOptions, output: Output, things: AsyncDisposableStack) {
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
    /** The public URL. */
    url: edge.publicUrl,
    inboxUrl: edge.inboxUrl,
    admin: await firstAdminOf(data, output.text(), given),
    dataDir: folder,
    /** The system's database, as the superuser. */
    postgresUrl: data.postgresUrl,
    topicPrefix: data.topicPrefix,
    keyPrefix: data.keyPrefix,
    /** Base URL of a service's balancer. */
    urlOf: (service: ServiceName): string => fleet.urls[service],
    replicas: fleet.replicas,
    /** The number of automatic restarts, over all services. */
    restarts: fleet.restarts,
    /** The output of all processes, each line prefixed with the process's name. */
    output: output.text,
    /** Stops it like Ctrl-C, the gateway first; the data stays. Resolves to 0, or to 1 if a process did not exit cleanly. Idempotent. */
    stop,
    /** Kills all service processes at once; the data stays. */
    kill: (): Promise<void> => things.disposeAsync(),
    /** Kills running processes and removes the data. */
    async dispose(): Promise<void> {
      await things.disposeAsync()
      await data.drop()
    },
  }
}

function givenVariables({ provider, environment }: SplitOptions): Record<string, string> {
  const scripted = provider && { DEEPSEEK_BASE_URL: provider, DEEPSEEK_API_KEY: 'a key of the fake provider' }
  return { ...scripted, ...environment }
}
