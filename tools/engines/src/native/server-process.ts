import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { guard } from './guard.ts'
import type { EngineName, NativeEngine } from './native-engine.ts'

const startTimeoutMs = 240_000
const endTimeoutMs = 60_000

/** How to run a server and detect that it is ready. */
export interface ServerPlan {
  readonly name: EngineName
  readonly url: string
  readonly folder: string
  readonly command: readonly [file: string, ...args: string[]]
  /** Its log message once it serves. More reliable than its port, at which a foreign server may answer. */
  readonly says: string
  /** Resolves once it serves clients; retried until it succeeds. */
  ready?(): Promise<void>
}

/** A server that is ready for clients. */
interface Server {
  readonly child: ChildProcess
  readonly exited: Promise<void>
  /** Aborted when it is stopped deliberately. */
  readonly ending: AbortController
}

/**
 * Runs a server process and waits until it is ready.
 * @throws with the end of its log if it does not start
 */
export async function openServer(plan: ServerPlan): Promise<NativeEngine> {
  const lostHandlers: ((reason: string) => void)[] = []
  const onLost = (reason: string): void => {
    for (const handler of lostHandlers) handler(reason)
  }
  let server = await startServer(plan, onLost)
  const kill = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    server.ending.abort()
    // Keep this process alive while it waits for the exit.
    server.child.ref()
    server.child.kill(signal)
    // A frozen process takes no other signal.
    server.child.kill('SIGCONT')
    const outcome = await Promise.race([server.exited, delay(endTimeoutMs, 'late' as const, { ref: false })])
    if (outcome === 'late') throw new Error(`${plan.name} does not exit on ${signal}`)
  }
  return {
    name: plan.name,
    url: plan.url,
    get pid() {
      return server.child.pid ?? 0
    },
    kill,
    async start() {
      if (isRunning(server.child)) throw new Error(`${plan.name} is running`)
      server = await startServer(plan, onLost)
    },
    freeze: () => void server.child.kill('SIGSTOP'),
    thaw: () => void server.child.kill('SIGCONT'),
    onLost: (handler) => void lostHandlers.push(handler),
    close: () => kill('SIGKILL'),
  }
}

async function startServer(plan: ServerPlan, onLost: (reason: string) => void): Promise<Server> {
  mkdirSync(plan.folder, { recursive: true })
  const logFile = join(plan.folder, `${plan.name}.log`)
  const logStart = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  const child = spawnInto(logFile, plan.command)
  const callOff = child.pid === undefined ? () => undefined : guard('kill -9 "$1"', [String(child.pid)])
  const ending = new AbortController()
  let serving = false
  const exited = new Promise<void>((resolve) => {
    const end = (why: string): void => {
      callOff()
      resolve()
      if (serving && !ending.signal.aborted) onLost(`${plan.name} ended by itself (${why})\n${tail(logFile)}`)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(String(signal ?? code)))
  })
  const saysSo = (): boolean => readFileSync(logFile).subarray(logStart).includes(plan.says)
  if (!(await becomesReady(plan, child, saysSo))) {
    child.kill('SIGKILL')
    await exited
    throw new Error(`${plan.name} did not start: ${tail(logFile)}`)
  }
  serving = true
  return { child, exited, ending }
}

function spawnInto(logFile: string, [file, ...args]: ServerPlan['command']): ChildProcess {
  const output = openSync(logFile, 'a', 0o600)
  try {
    const child = spawn(file, args, { detached: true, stdio: ['ignore', output, output] })
    child.unref()
    return child
  } finally {
    closeSync(output)
  }
}

async function becomesReady(plan: ServerPlan, child: ChildProcess, saysSo: () => boolean): Promise<boolean> {
  const end = Date.now() + startTimeoutMs
  while (isRunning(child) && Date.now() < end) {
    try {
      if (saysSo()) {
        await plan.ready?.()
        return true
      }
    } catch {
      // Not ready yet; its exit or the time-out ends the loop.
    }
    await delay(30)
  }
  return false
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

const tail = (file: string): string => readFileSync(file, 'utf8').slice(-1_000).trim()
