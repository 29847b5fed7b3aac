import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memoryDisk = '/dev/shm'
/** Several times the size of all databases of a whole run. */
const enoughRoomBytes = 4 * 2 ** 30
/** Available memory of the machine or container: that room, and as much for programs. */
const enoughMemoryBytes = 2 * enoughRoomBytes

/** The machine's facilities for keeping files in memory. */
export interface MemoryDisk {
  /** Lines of `/proc/mounts`. */
  readonly mounts: string
  readonly roomBytes: number
  readonly memoryBytes: number
}

/** Whether temporary files should be in memory: tests execute programs there, and the machine must not start swapping. */
export function isFitForScratch({ mounts, roomBytes, memoryBytes }: MemoryDisk): boolean {
  const [, , kind, options = ''] = mounts.match(new RegExp(`^(\\S+) ${memoryDisk} (\\S+) (\\S+)`, 'm')) ?? []
  const taken = options.split(',')
  const writable = kind === 'tmpfs' && taken.includes('rw') && !taken.includes('noexec')
  return writable && roomBytes >= enoughRoomBytes && memoryBytes >= enoughMemoryBytes
}

/**
 * The folder for temporary files of tests: in memory if there is plenty, because each database creates and removes some hundred files, which costs
 * more on a disk than PostgreSQL itself. An explicit `TMPDIR` is respected.
 */
export const scratchFolder = (): string => (tmpdir() === '/tmp' && hasMemoryDisk() ? memoryDisk : tmpdir())

function hasMemoryDisk(): boolean {
  try {
    accessSync(memoryDisk, constants.W_OK)
    const { bavail, bsize } = statfsSync(memoryDisk)
    const mounts = readFileSync('/proc/mounts', 'utf8')
    return isFitForScratch({ mounts, roomBytes: bavail * bsize, memoryBytes: process.availableMemory() })
  } catch {
    // Not Linux, or not accessible.
    return false
  }
}
