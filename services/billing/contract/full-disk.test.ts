import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@parley/kit'
import { startNativePostgres } from '@parley/testing/engines'
import { engineUrl, onEngine } from '@parley/testing/test-engines'
import { afterEach, expect, it } from 'vitest'
import { startBilling } from './given-process.ts'

const patience = { timeout: 60_000, interval: 100 }

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

/** A disk of 160 MB of its own, which takes the rights of root; undefined without them. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=0755', 'tmpfs', folder])
  if (mount.status !== 0) return undefined
  undo.push(() => spawnSync('umount', ['--lazy', folder]))
  return folder
}

/** Takes all that is left of the disk. */
function fill(folder: string): void {
  const file = join(folder, 'filler')
  for (let size = 1 << 20; size >= 1 << 12; size >>= 1) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // No room for a piece of this size: smaller ones may fit.
    }
  }
}

onEngine('kafka', () => {
  it('nothing is held while the disk of PostgreSQL is full, and nothing acknowledged is lost', async ({ skip }) => {
    const folder = mountDisk() ?? skip('a disk that can be filled takes the rights of root')
    const postgres = await startNativePostgres({ folder: join(folder, 'engine') })
    undo.push(postgres.close)
    const billing = await startBilling(postgres.url, engineUrl('kafka') ?? '')
    undo.push(billing.close)
    await billing.ready()
    fill(folder)
    const held: string[] = []
    const refusal = async () => {
      const userId = newId()
      const answer = await billing.hold(userId)
      if (answer.status === 201) held.push(userId)
      return answer.status === 201 ? undefined : answer
    }
    await expect.poll(refusal, patience).toEqual({ status: 503, code: 'unavailable', retryAfter: '2' })
    await expect.poll(async () => (await billing.readiness())?.failed, patience).toEqual(['postgres'])
    expect(billing.reasons().join()).toMatch(/could not (extend|write)|No space left/)
    rmSync(join(folder, 'filler'))
    await billing.ready()
    expect(await refusal()).toBeUndefined()
    for (const userId of held) expect(await billing.remaining(userId)).toBe(99)
  }, 180_000)
})
