import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Tells a process from a later one with the same id: the id's start time as the system words it.
 * Undefined when there is no such process.
 */
export function processIdentity(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined
  if (process.platform === 'linux') {
    // Field 22 is the start in clock ticks since boot; the second field is a name that may contain anything but ends with the last bracket.
    const stat = readProc(pid, 'stat')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return stat === undefined ? undefined : `${boot}:${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  }
  return ask(pid, 'lstart')
}

/** The program and arguments of a process; empty when there is none or it may not be seen. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ')
  return ask(pid, 'command') ?? ''
}

/** True also for a process of another user; false for one that has ended and was not yet reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const stat = process.platform === 'linux' ? readProc(pid, 'stat') : undefined
  return stat?.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z'
}

/** Resolves to whether the process has ended within `timeoutMs`. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs
  while (isAlive(pid)) {
    if (Date.now() > end) return false
    await delay(20)
  }
  return true
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It ended meanwhile, or is hidden from us.
    return undefined
  }
}

function ask(pid: number, field: string): string | undefined {
  const { stdout, status } = spawnSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
