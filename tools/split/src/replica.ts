import { setTimeout as delay } from 'node:timers/promises'
import type { Backend } from './balancer.ts'
import { watchReadiness } from './readiness.ts'
import { type ProcessEnd, type ServiceCommand, type ServiceProcess, startServiceProcess } from './service-process.ts'

/** Milliseconds until another process takes the place of one that ended. */
const restartAfterMs = 1_000
/** Milliseconds that are waited for a process to become ready. */
const readyWithinMs = 240_000
/** Milliseconds beyond the grace that a process was given until it is killed. */
const killAfterMs = 5_000

/** One of a service's processes. When it ends by itself, another one with the same port takes its place after a second. */
export interface Replica extends Backend {
  /** Such as `chat#1`. */
  readonly name: string
  readonly url: string
  /** Of the process that runs, else of the last one. */
  readonly pid: number
  /** How often another process took the place of one that ended. */
  readonly restarts: number
  /** Sends a signal and resolves once the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Stops the process where it stands; its connections stay open and nobody answers. */
  freeze(): void
  thaw(): void
  /** Whether another process takes the place of one that ends; yes unless told. */
  restartOnDeath(on: boolean): void
  /** Starts it when none runs. */
  start(): void
  /** Resolves once a process is ready. @throws Error when none is after four minutes */
  restarted(): Promise<void>
}

/** A replica as the one who supervises it sees it. */
export interface SupervisedReplica extends Replica {
  /** Resolves once its first process is ready. @throws Error when that ends before, or is not ready after four minutes */
  started(): Promise<void>
  /** SIGTERM, then SIGKILL when the grace is over. No other process is started. Idempotent. */
  stop(graceMs: number): Promise<ProcessEnd>
  /** SIGKILL. No other process is started. Idempotent. */
  destroy(): Promise<void>
}

/** Starts the first process and keeps one running from then on. */
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
      // A stopped process would not hear it.
      current.signal('SIGCONT')
      return await end('SIGTERM').finally(() => clearTimeout(late))
    },
    async destroy() {
      await end('SIGKILL')
    },
  }
}
