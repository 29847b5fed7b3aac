import { rm, utimes } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { freePort, markOf, reserve } from './free-port.ts'

it('a port that has just been picked is not picked again', async () => {
  const ports: number[] = []
  // One after the other: of picks at once one listens while the other looks.
  for (let round = 0; round < 600; round += 1) ports.push(await freePort())
  expect(new Set(ports).size).toBe(ports.length)
})

it('a port is reserved for a minute', async () => {
  const outOfRange = 19_999
  await rm(markOf(outOfRange), { force: true })
  expect(await reserve(outOfRange)).toBe(true)
  expect(await reserve(outOfRange)).toBe(false)
  const minuteAgo = new Date(Date.now() - 61_000)
  await utimes(markOf(outOfRange), minuteAgo, minuteAgo)
  expect(await reserve(outOfRange)).toBe(true)
  expect(await reserve(outOfRange)).toBe(false)
})

it('a port of an address that this machine does not have is refused with the reason', async () => {
  // Reserved for documentation: no machine has it.
  await expect(freePort('192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' })
})
