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

/** Where the server keeps its data and listens, and whether it trades durability for speed. */
export interface NativePostgresOptions extends NativeOptions {
  readonly ephemeral?: boolean
}
/** A server whose end is noticed. */
interface Watched {
  readonly server: BarePostgres
  /** Says that its end is wanted. */
  expectEnd(): void
}

/**
 * The PostgreSQL that comes with the embedded one.
 * @throws when this machine has none, or when it does not start
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
      // SIGTERM would wait for every client to leave.
      const sent = signal === 'SIGTERM' ? 'SIGINT' : signal
      signalFamily(pid, 'SIGCONT')
      signalProcess(pid, sent)
      await awake(exited)
    },
    async start() {
      await current.server.close()
      // Connections of the killed one end a little later than it, and keep its successor out until then.
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

/** Waits for what does not by itself keep this process running. */
async function awake<T>(ended: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1_000)
  return ended.finally(() => clearInterval(timer))
}

const tail = (file: string): string => readFileSync(file, 'utf8').slice(-1_000).trim()
