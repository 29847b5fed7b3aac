import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { guard } from '@parley/engines/guard'
import { signalProcess } from '@parley/engines/process-family'
import { freePort } from '@parley/kit'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** Parley in one process, like `npm start`, which tests can kill and restart on the same data and ports. */
export type AllInOneProcess = Awaited<ReturnType<typeof openAllInOneProcess>>

/** Starts nothing yet. @param folder its `DATA_DIR` @param environment further variables */
export async function openAllInOneProcess(folder: string, environment: Readonly<Record<string, string>>) {
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid')
  const ports = { PORT: String(await freePort()), INBOX_PORT: String(await freePort()) }
  // The server outlives the process by design, but must not outlive the test.
  const callOff = guard('kill -9 "$(head -n 1 "$1")"', [pidFile])
  const starts: ServiceProcess[] = []
  const latest = (): ServiceProcess => {
    const one = starts.at(-1)
    if (one === undefined) throw new Error('It was never started')
    return one
  }
  const postmaster = async (): Promise<number | undefined> => {
    const text = await readFile(pidFile, 'utf8').catch(() => '')
    return Number.parseInt(text, 10) || undefined
  }
  return {
    /** The gateway's URL; the same after every start. */
    url: `http://127.0.0.1:${ports.PORT}`,
    /** The process of the latest start. */
    get process() {
      return latest()
    },
    /** Starts or restarts it. Resolves at once; use `process.ready()` to wait until it serves. */
    async start(): Promise<ServiceProcess> {
      const one = await startServiceProcess('all-in-one', { ...environment, ...ports, DATA_DIR: folder })
      starts.push(one)
      return one
    },
    /** The pid of the embedded PostgreSQL; undefined while there is none. */
    postmaster,
    /** The URL of the embedded PostgreSQL, as its superuser. */
    postgresUrl: () => readFile(join(folder, 'postgres-url'), 'utf8'),
    /** Kills the process and removes the data. */
    async close(): Promise<void> {
      for (const one of starts) one.signal('SIGKILL')
      await Promise.all(starts.map(({ exit }) => exit))
      const pid = await postmaster()
      if (pid !== undefined) signalProcess(pid, 'SIGKILL')
      callOff()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}
