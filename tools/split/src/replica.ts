import { setTimeout as delay } from 'node:timers/promises'
import type { Backend } from './balancer.ts'
import { watchReadiness } from './readiness.ts'
import { type ProcessEnd, type ServiceCommand, type ServiceProcess, startServiceProcess } from './service-process.ts'

/** Milliseconds until a process that has ended is restarted. */
const restartAfterMs = 1_000
/** Milliseconds a process has to become ready. */
const readyWithinMs = 240_000
/** Milliseconds after the grace period until a process is killed. */
const killAfterMs = 5_000

/** A process of a service. If it ends by itself, it is restarted on the same port after a second. */
export interface Replica extends Backend {
  /** Such as `chat#1`. */
  readonly name: string
  readonly url: string
  /** The pid of the running or last process. */
  readonly pid: number
  /** The number of automatic restarts. */
  readonly restarts: number
  /** Sends a signal and resolves once the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Suspends the process: its connections stay open, but it does not answer. */
  freeze(): void
  thaw(): void
  /** Turns automatic restarts on or off; on by default. */
  restartOnDeath(on: boolean): void
  /** Starts the process if it is not running. */
  start(): void
  /** Resolves once a process is ready. @throws Error after four minutes */
  restarted(): Promise<void>
}

/** A replica for its supervisor. */
export interface SupervisedReplica extends Replica {
  /** Resolves once its first process is ready. @throws Error if it exits before that, or after four minutes */
  started(): Promise<void>
  /** SIGTERM, then SIGKILL after the grace period, without a restart. Idempotent. */
  stop(graceMs: number): Promise<ProcessEnd>
  /** SIGKILL, without a restart. Idempotent. */
  destroy(): Promise<void>
}

/** Starts a process and keeps it running. */
export function superviseReplica(command: ServiceCommand & { readonly port: number }): SupervisedReplica {
  const { name, port } = command
  const url = `http://127.0.0.1:${port}`
  const watch = watchReadiness(url)
  const state = { running: false, restartOnDeath: true, over: false, restarts: 0 }
  let current = launch()

  function launch(): ServiceProcess {
    const launched = startServiceProcess(command)
    state.running = true
    void launched.ended.then(async () => {
      state.running = false
      watch.lost()
      await delay(restartAfterMs, undefined, { ref: false })
      if (state.restartOnDeath) start()
    })
    return launched
  }
  function start(): void {
    if (state.running || state.over) return
    state.restarts += 1
    current = launch()
  }
  const ready = (): boolean => state.running && watch.ready
  const becomeReady = async (): Promise<void> => {
    const deadline = performance.now() + readyWithinMs
    while (!ready()) {
      if (performance.now() > deadline) throw new Error(`${name} is not ready`)
      await delay(20)
    }
  }
  const end = (signal: NodeJS.Signals): Promise<ProcessEnd> => {
    state.over = true
    watch.close()
    current.signal(signal)
    return current.ended
  }
  return {
    ...{ name, port, url, start },
    get pid() {
      return current.pid
    },
    get ready() {
      return ready()
    },
    get restarts() {
      return state.restarts
    },
    kill: (signal) => {
      current.signal(signal)
      return current.ended.then(() => undefined)
    },
    freeze: () => current.signal('SIGSTOP'),
    thaw: () => current.signal('SIGCONT'),
    restartOnDeath(on) {
      state.restartOnDeath = on
    },
    restarted: becomeReady,
    async started() {
      const ended = current.ended.then(({ code, signal }) => {
        throw new Error(`${name} ended with ${code ?? signal} before it was ready`)
      })
      await Promise.race([becomeReady(), ended])
    },
    async stop(graceMs) {
      const late = setTimeout(() => current.signal('SIGKILL'), graceMs + killAfterMs)
      // A suspended process would not receive it.
      current.signal('SIGCONT')
      return await end('SIGTERM').finally(() => clearTimeout(late))
    },
    async destroy() {
      await end('SIGKILL')
    },
  }
}
