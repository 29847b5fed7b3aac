import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@parley/engines/compile-cache'
import { environmentWith } from '../config.ts'

const root = join(import.meta.dirname, '../..')
const endTimeoutMs = 10_000

/** How a program is run. */
export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Shown as it comes, instead of in one piece at the end. */
  readonly live?: boolean
  /** How readily it leaves the processor to other programs: 0, as usual, to 19. */
  readonly niceness?: number
  /** Ends it. */
  readonly signal: AbortSignal
}

/** Runs a program of the workspace's at its root. Resolves to its exit code, 1 for one that did not come to its end, and what it printed. */
export function runProgram(
  command: string,
  args: readonly string[],
  { environment = {}, live = false, niceness = 0, signal }: ProgramOptions,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules/.bin', command), args, {
      cwd: root,
      stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
      // Each of Vitest's workers loads the same libraries.
      env: environmentWith({ NODE_COMPILE_CACHE: compileCache, ...environment }),
    })
    // What it starts inherits that.
    if (child.pid !== undefined && niceness > 0) setPriority(child.pid, niceness)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    }
    const stop = endOnAbort(child, signal)
    const end = (code: number | null): void => {
      stop()
      resolve({ code: code ?? 1, output })
    }
    child.on('error', () => end(1))
    child.on('close', end)
  })
}

/** @returns how to call it off */
function endOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined
  const end = (): void => {
    child.kill('SIGTERM')
    timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs)
  }
  signal.addEventListener('abort', end)
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
