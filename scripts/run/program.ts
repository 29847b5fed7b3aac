import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@parley/engines/compile-cache'
import { environmentWith } from '../config.ts'

const root = join(import.meta.dirname, '../..')
const endTimeoutMs = 10_000
const leastNice = 19

/** Options of a program. */
export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Whether its output is shown live instead of at the end. */
  readonly live?: boolean
  /** Its nice value, 0 to 19; with 19 it only gets the CPU time for which nothing else asks. */
  readonly niceness?: number
  /** Aborts it. */
  readonly signal: AbortSignal
}

/** Runs a program of the workspace in the root folder. Resolves to its exit code, 1 if it was killed, and its output. */
export function runProgram(
  command: string,
  args: readonly string[],
  { environment = {}, live = false, niceness = 0, signal }: ProgramOptions,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules/.bin', command), args, {
      cwd: root,
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
      // Shares compiled libraries among Vitest's workers.
      env: environmentWith({ NODE_COMPILE_CACHE: compileCache, ...environment }),
      // In a session of its own, which gets the priority, too.
      detached: niceness === leastNice,
    })
    if (child.pid !== undefined && niceness > 0) makeNice(child.pid, niceness)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    }
    const stop = endOnAbort(child, niceness === leastNice, signal)
    const end = (code: number | null): void => {
      stop()
      resolve({ code: code ?? 1, output })
    }
    child.on('error', () => end(1))
    child.on('close', end)
  })
}

/** The children of a process inherit it. */
function makeNice(pid: number, niceness: number): void {
  setPriority(pid, niceness)
  if (niceness < leastNice) return
  try {
    // Linux may divide CPU time among sessions first: then nice values count only within one, and each process of a split system has its own.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness))
  } catch {
    // Sessions do not matter here.
  }
}

/** @param leads whether its whole session is ended, which Ctrl-C does not reach @returns a function that cancels this */
function endOnAbort(child: ChildProcess, leads: boolean, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined
  const kill = (name: NodeJS.Signals): void => {
    try {
      if (leads && child.pid !== undefined) process.kill(-child.pid, name)
      else child.kill(name)
    } catch {
      // It has just ended.
    }
  }
  const end = (): void => {
    kill('SIGTERM')
    timer = setTimeout(() => kill('SIGKILL'), endTimeoutMs)
  }
  signal.addEventListener('abort', end)
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
