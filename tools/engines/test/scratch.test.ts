import { expect, it } from 'vitest'
import { isFitForScratch } from '../src/scratch.ts'

const gib = 2 ** 30
const others = 'proc /proc proc rw 0 0\n/dev/vda / ext4 rw,relatime 0 0\n'
const mounted = (options: string, kind = 'tmpfs'): string => `${others}shm /dev/shm ${kind} ${options} 0 0\n`
const fit = { mounts: mounted('rw,relatime,size=24684084k'), roomBytes: 4 * gib, memoryBytes: 8 * gib }

it('files that are thrown away are kept in memory where there is plenty of it', () => {
  expect(isFitForScratch(fit)).toBe(true)
})

it.each([
  ['there is no disk in memory', { mounts: others }],
  ['it is a folder of the disk', { mounts: mounted('rw', 'ext4') }],
  ['it cannot be written to', { mounts: mounted('ro,relatime') }],
  ['no program may start from it', { mounts: mounted('rw,nosuid,nodev,noexec,relatime') }],
  ['it is small, as in a container', { roomBytes: 64 * 2 ** 20 }],
  ['the machine has little memory left', { memoryBytes: 6 * gib }],
])('they are not where %s', (_, machine) => {
  expect(isFitForScratch({ ...fit, ...machine })).toBe(false)
})
