import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Readiness, ServiceName } from '@parley/contracts'
import { compileCache } from '@parley/engines/compile-cache'
import { guard } from '@parley/engines/guard'
import { freePort } from '@parley/kit'
import { waitUntil } from '../data/wait-until.ts'

/** A service run by its `main.ts`, as in a container. It never outlives the process that started it. */
export type ServiceProcess = Awaited<ReturnType<typeof startServiceProcess>>

/** Starts a service, or all in one, on the given `PORT` or a free one. It only gets `HOST`, `PORT` and the given variables of Parley. */
export async function startServiceProcess(
  service: ServiceName | 'all-in-one',
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
) {
  const main = fileURLToPath(new URL(`../../../../services/${service}/src/main.ts`, import.meta.url))
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
    // Not listening yet, or any more.
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return (await answer?.json()) as Readiness | undefined
  }
  return {
    url,
    /** Undefined if it could not be started. */
    pid: child.pid,
    /** Its exit code; null if a signal ended it. */
    exit,
    /** `GET /readyz`; undefined while it is not listening. */
    readiness,
    /** Its output so far. */
    output: () => output,
    /** Resolves once `/readyz` reports ready. @throws Error with its output after `timeoutMs` */
    async ready(timeoutMs?: number): Promise<void> {
      const look = async () => (await readiness())?.status === 'ready'
      try {
        await waitUntil(look, `${service} to be ready`, timeoutMs, 50)
      } catch (cause) {
        throw new Error(`${(cause as Error).message}; it printed:\n${output}`, { cause })
      }
    },
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
  }
}
