import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { guard } from '@parley/engines/guard'
import { signalProcess } from '@parley/engines/process-family'
import { freePort } from '@parley/kit'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

/** Parley in one process, as `npm start` runs it, which tests may kill and start again on the same data and ports. */
export interface AllInOneProcess {
  /** Of the gateway; the same after every start. */
  readonly url: string
  /** The latest start. */
  readonly process: ServiceProcess
  /** Starts it, the first time and after it has ended. Resolves at once; `process.ready()` says when it serves. */
  start(): Promise<ServiceProcess>
  /** The embedded PostgreSQL's own process; undefined while there is none. */
  postmaster(): Promise<number | undefined>
  /** Of the embedded PostgreSQL, as its superuser. */
  postgresUrl(): Promise<string>
  /** Kills what runs and removes the data. */
  close(): Promise<void>
}

/** Starts nothing yet. @param folder becomes its `DATA_DIR` @param environment beside its ports and `DATA_DIR` */
export async function openAllInOneProcess(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<AllInOneProcess> {
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid')
  const ports = { PORT: String(await freePort()), INBOX_PORT: String(await freePort()) }
  // The server outlives the process on purpose, and must not outlive the test.
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
    url: `http://127.0.0.1:${ports.PORT}`,
    get process() {
      return latest()
    },
    async start() {
      const one = await startServiceProcess('all-in-one', { ...environment, ...ports, DATA_DIR: folder })
      starts.push(one)
      return one
    },
    postmaster,
    postgresUrl: () => readFile(join(folder, 'postgres-url'), 'utf8'),
    async close() {
      for (const one of starts) one.signal('SIGKILL')
      await Promise.all(starts.map(({ exit }) => exit))
      const pid = await postmaster()
      if (pid !== undefined) signalProcess(pid, 'SIGKILL')
      callOff()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}
