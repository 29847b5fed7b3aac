import { expect, it } from 'vitest'
import { isFitForScratch } from '../src/scratch.ts'

const gib = 2 ** 30
const others = 'proc /proc proc rw 0 0\n/dev/vda / ext4 rw,relatime 0 0\n'
const mounted = (options: string, kind = 'tmpfs'): string => `${others}shm /dev/shm ${kind} ${options} 0 0\n`
const fit = { mounts: mounted('rw,relatime,size=24684084k'), roomBytes: 4 * gib, memoryBytes: 8 * gib }

it('temporary files are kept in memory if there is plenty', () => {
  expect(isFitForScratch(fit)).toBe(true)
})

it.each([
  ['there is no memory disk', { mounts: others }],
  ['/dev/shm is a folder on disk', { mounts: mounted('rw', 'ext4') }],
  ['/dev/shm is read-only', { mounts: mounted('ro,relatime') }],
  ['/dev/shm is mounted noexec', { mounts: mounted('rw,nosuid,nodev,noexec,relatime') }],
  ['/dev/shm is small, as in a container', { roomBytes: 64 * 2 ** 20 }],
  ['little memory is available', { memoryBytes: 6 * gib }],
])('temporary files are kept on disk if %s', (_, machine) => {
  expect(isFitForScratch({ ...fit, ...machine })).toBe(false)
})
