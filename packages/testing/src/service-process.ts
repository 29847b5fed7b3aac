import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Readiness, ServiceName } from '@parley/contracts'
import { compileCache } from '@parley/engines/compile-cache'
import { guard } from '@parley/engines/guard'
import { freePort } from '@parley/kit'
import { waitUntil } from './wait-until.ts'

/** A service that runs by its `main.ts`, as a container would run it. It never outlives the process that started it. */
export interface ServiceProcess {
  readonly url: string
  /** Of the process; undefined when it could not be started. */
  readonly pid: number | undefined
  /** Everything it printed so far. */
  output(): string
  /** `GET /readyz`; undefined while nobody listens. */
  readiness(): Promise<Readiness | undefined>
  /** Resolves once `/readyz` says so. @throws Error with what it printed when that takes longer than `timeoutMs` */
  ready(timeoutMs?: number): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** The code it ends with; null when a signal ended it. */
  readonly exit: Promise<number | null>
}

/** Starts a service, or all of them in one, on the given `PORT` or a free one; of Parley's variables it has `HOST`, `PORT` and those that are given. */
export async function startServiceProcess(
  service: ServiceName | 'all-in-one',
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL(`../../../services/${service}/src/main.ts`, import.meta.url))
  const port = environment.PORT ?? String(await freePort())
  const child = spawn(process.execPath, [main, ...args], {
    env: { NODE_COMPILE_CACHE: compileCache, HOST: '127.0.0.1', ...environment, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const callOff = guard('kill -9 "$1"', [String(child.pid)])
  const exit = once(child, 'close').then(([code]) => {
    callOff()
    return code as number | null
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const url = `http://127.0.0.1:${port}`
  const readiness = async (): Promise<Readiness | undefined> => {
    // Nobody listens yet, or any more.
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return (await answer?.json()) as Readiness | undefined
  }
  return {
    url,
    pid: child.pid,
    exit,
    readiness,
    output: () => output,
    async ready(timeoutMs) {
      const look = async () => (await readiness())?.status === 'ready'
      try {
        await waitUntil(look, `${service} to be ready`, timeoutMs, 50)
      } catch (cause) {
        throw new Error(`${(cause as Error).message}; it printed:\n${output}`, { cause })
      }
    },
    signal: (signal) => void child.kill(signal),
  }
}
