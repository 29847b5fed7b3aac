import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BarePostgres, openBarePostgres } from '@parley/db/embedded'
import { createLogger } from '@parley/kit'
import { guard } from './guard.ts'
import type { NativeEngine, NativeOptions } from './native-engine.ts'
import { retry } from './ports.ts'
import { signalFamily, signalProcess } from './process-family.ts'

const startTimeoutMs = 240_000

/** The folder and port of the server, and whether it trades durability for speed. */
export interface NativePostgresOptions extends NativeOptions {
  readonly ephemeral?: boolean
}
/** A supervised server. */
interface Watched {
  readonly server: BarePostgres
  /** Announces that it is about to be stopped deliberately. */
  expectEnd(): void
}

/**
 * The PostgreSQL server of the embedded engine.
 * @throws if this machine has none, or it does not start
 */
export async function startNativePostgres(options: NativePostgresOptions): Promise<NativeEngine> {
  await mkdir(options.folder, { recursive: true })
  const lostHandlers: ((reason: string) => void)[] = []
  const open = async (port: number | undefined): Promise<Watched> => {
    const { folder, ephemeral = false } = options
    const at = { dataDir: join(folder, 'postgres'), ...(port !== undefined && { port }) }
    const server = await openBarePostgres({ ...at, ephemeral, log: createLogger('test-postgres', 'silent') })
    return watch(server, () => {
      const reason = `postgres ended by itself\n${tail(join(at.dataDir, 'postgres.log'))}`
      for (const handler of lostHandlers) handler(reason)
    })
  }
  let current = await open(options.port)
  const port = Number(new URL(current.server.url).port)
  return {
    name: 'postgres',
    url: current.server.url,
    get pid() {
      return current.server.pid
    },
    async kill(signal) {
      current.expectEnd()
      const { pid, exited } = current.server
      // SIGTERM would wait for all clients to disconnect.
      const sent = signal === 'SIGTERM' ? 'SIGINT' : signal
      signalFamily(pid, 'SIGCONT')
      signalProcess(pid, sent)
      await awake(exited)
    },
    async start() {
      await current.server.close()
      // Connections of the killed server end slightly later, and block its successor until then.
      current = await retry(() => open(port), startTimeoutMs)
    },
    freeze: () => signalFamily(current.server.pid, 'SIGSTOP'),
    thaw: () => signalFamily(current.server.pid, 'SIGCONT'),
    onLost: (handler) => void lostHandlers.push(handler),
    async close() {
      current.expectEnd()
      signalFamily(current.server.pid, 'SIGCONT')
      await current.server.close()
    },
  }
}

function watch(server: BarePostgres, onLost: () => void): Watched {
  const callOff = guard('kill -9 "$1"', [String(server.pid)])
  let wanted = false
  void server.exited.then(() => {
    callOff()
    if (!wanted) onLost()
  })
  return {
    server,
    expectEnd() {
      wanted = true
    },
  }
}

/** Awaits a promise that does not keep the event loop alive by itself. */
async function awake<T>(ended: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1_000)
  return ended.finally(() => clearInterval(timer))
}

const tail = (file: string): string => readFileSync(file, 'utf8').slice(-1_000).trim()
