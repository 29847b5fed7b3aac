import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memoryDisk = '/dev/shm'
/** Several times what the databases of a whole run hold at once. */
const enoughRoomBytes = 4 * 2 ** 30
/** Of the machine's memory, or of what a container may take: that room, and as much for the programs. */
const enoughMemoryBytes = 2 * enoughRoomBytes

/** What a machine offers to keep files in memory. */
export interface MemoryDisk {
  /** Lines of `/proc/mounts`. */
  readonly mounts: string
  readonly roomBytes: number
  readonly memoryBytes: number
}

/** Whether files that are thrown away belong into memory. Tests start programs out of such a folder, and a machine that is short of memory must not swap. */
export function isFitForScratch({ mounts, roomBytes, memoryBytes }: MemoryDisk): boolean {
  const [, , kind, options = ''] = mounts.match(new RegExp(`^(\\S+) ${memoryDisk} (\\S+) (\\S+)`, 'm')) ?? []
  const taken = options.split(',')
  const writable = kind === 'tmpfs' && taken.includes('rw') && !taken.includes('noexec')
  return writable && roomBytes >= enoughRoomBytes && memoryBytes >= enoughMemoryBytes
}

/**
 * Folder of what tests write and throw away: in memory where there is plenty, since each database makes and removes some hundred files, which costs a
 * disk's file system more than PostgreSQL. Whoever has chosen a `TMPDIR` keeps it.
 */
export const scratchFolder = (): string => (tmpdir() === '/tmp' && hasMemoryDisk() ? memoryDisk : tmpdir())

function hasMemoryDisk(): boolean {
  try {
    accessSync(memoryDisk, constants.W_OK)
    const { bavail, bsize } = statfsSync(memoryDisk)
    const mounts = readFileSync('/proc/mounts', 'utf8')
    return isFitForScratch({ mounts, roomBytes: bavail * bsize, memoryBytes: process.availableMemory() })
  } catch {
    // Not Linux, or hidden from us.
    return false
  }
}
