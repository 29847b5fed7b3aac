import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Knows which processes run, so that none outlives the launcher however that ends. */
export interface Warden {
  began(pid: number): void
  ended(pid: number): void
  /** Kills what still runs. */
  close(): Promise<void>
}

/** Starts the warden's process. */
export function openWarden(): Warden {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'warden.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    // Not in the launcher's group: Ctrl-C goes to all of that.
    detached: true,
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  // A write to a warden that has ended; the launcher's own end is in order without it.
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
