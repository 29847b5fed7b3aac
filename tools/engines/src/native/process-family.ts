import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Signals a process before its children, so that it cannot spawn more of them. Processes that have ended are skipped. */
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

/** Reads `/proc`, because not every Linux has `ps`. */
function processesOfLinux(): [pid: number, parent: number][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentInProc(name)])
}

function parentInProc(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The preceding name may contain any characters, and ends with the last bracket.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // It has ended meanwhile.
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
