import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Signals a process and then its children, so that it makes no more of them meanwhile. Those that have ended are passed over. */
export function signalFamily(pid: number, signal: NodeJS.Signals): void {
  signalProcess(pid, signal)
  for (const child of childrenOf(pid)) signalProcess(child, signal)
}

/** Signals a process unless it has ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const childrenOf = (parent: number): number[] =>
  (process.platform === 'linux' ? processesOfLinux() : processesByPs())
    .filter(([, itsParent]) => itsParent === parent)
    .map(([pid]) => pid)

/** Not every Linux has `ps`. */
function processesOfLinux(): [pid: number, parent: number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentInProc(name)])
}

function parentInProc(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may contain anything, and ends with the last bracket.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // It ended meanwhile.
    return 0
  }
}

function processesByPs(): [pid: number, parent: number][] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
}
