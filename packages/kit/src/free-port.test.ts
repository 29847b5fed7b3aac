import { stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPortAllocator, freePort } from './free-port.ts'

it('a port that another allocator has just picked is not picked again', async () => {
  const pick = createPortAllocator()
  const others = [createPortAllocator(), createPortAllocator()]
  const ports = await Promise.all(Array.from({ length: 200 }, () => [pick(), ...others.map((other) => other())]).flat())
  expect(new Set(ports).size).toBe(ports.length)
})

it('a picked port is marked as such for a minute', async () => {
  const mark = join(tmpdir(), 'parley-ports', String(await freePort()))
  expect(Date.now() - (await stat(mark)).mtimeMs).toBeLessThan(60_000)
  // As if it had been picked long ago.
  await utimes(mark, new Date(0), new Date(0))
})
