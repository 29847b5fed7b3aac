import { join } from 'node:path'
import { startNativePostgres } from '@parley/engines'
import { newId } from '@parley/kit'
import { mountSmallDisk } from '@parley/testing'
import { engineUrl, onEngine } from '@parley/testing/test-engines'
import { afterEach, expect, it } from 'vitest'
import { startBilling } from './given-process.ts'

const patience = { timeout: 60_000, interval: 100 }

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

onEngine('kafka', () => {
  it('while PostgreSQL’s disk is full, no hold is made and no acknowledged one is lost', async ({ skip }) => {
    const disk = mountSmallDisk() ?? skip('a disk that can be filled takes the rights of root')
    undo.push(disk.close)
    const postgres = await startNativePostgres({ folder: join(disk.folder, 'engine') })
    undo.push(postgres.close)
    const billing = await startBilling(postgres.url, engineUrl('kafka') ?? '')
    undo.push(billing.close)
    await billing.ready()
    disk.fill()
    const held: string[] = []
    const refusal = async () => {
      const userId = newId()
      const answer = await billing.hold(userId)
      if (answer.status === 201) held.push(userId)
      return answer.status === 201 ? undefined : answer
    }
    await expect.poll(refusal, patience).toEqual({ status: 503, code: 'unavailable', retryAfter: '2' })
    await expect.poll(async () => (await billing.readiness())?.failed, patience).toEqual(['postgres'])
    await expect.poll(() => billing.reasons().join(), patience).toMatch(/could not (extend|write)|No space left/)
    disk.empty()
    await billing.ready()
    await expect.poll(refusal, patience).toBeUndefined()
    for (const userId of held) expect(await billing.remaining(userId)).toBe(99)
  })
})
