import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Knows which processes run, so that none outlives the launcher however that ends. */
export interface Supervisor {
  began(pid: number): void
  ended(pid: number): void
  /** Kills what still runs. */
  close(): Promise<void>
}

/** Starts the supervisor's process. */
export function openSupervisor(): Supervisor {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'supervisor.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // Not in the launcher's group: Ctrl-C goes to all of that.
    detached: true,
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // A write to a supervisor that has ended; the launcher's own end is in order without it.
  child.stdin.on('error', () => undefined)
  return {
    began: (pid) => void child.stdin.write(`+${pid}\n`),
    ended: (pid) => void child.stdin.write(`-${pid}\n`),
    async close() {
      child.stdin.end()
      await gone
    },
  }
}
