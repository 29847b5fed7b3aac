import { expect, it } from 'vitest'
import { createPostgresHealth } from '../src/postgres-health.ts'

const current = { version: 180_000, name: '18.0', readOnly: false }
const failure = (code: string): Error => Object.assign(new Error(`failed with ${code}`), { code })

type Said = Parameters<typeof createPostgresHealth>[1]

/** A server in this state; while its disk is full nothing can grow. */
function given(state = current) {
  const disk = { full: false }
  const asked: string[] = []
  const said: string[] = []
  const log = { warn: (text: string) => void said.push(text), error: (text: string) => void said.push(text) } as Said
  const health = createPostgresHealth(async (text) => {
    asked.push(text)
    if (!text.startsWith('select') && disk.full) throw failure('53100')
    return { rows: [state] }
  }, log)
  return { disk, asked, said, health }
}

it('refuses a server older than 15, and names its version', async () => {
  const { health } = given({ ...current, version: 140_012, name: '14.12' })
  await expect(health.ping()).rejects.toThrow('PostgreSQL 15 or newer is needed, and this one is 14.12')
})

it('refuses a read-only server', async () => {
  await expect(given({ ...current, readOnly: true }).health.ping()).rejects.toThrow('PostgreSQL is read-only')
})

it('writes only after a full disk, until writing is possible again; both are logged once', async () => {
  const { disk, asked, said, health } = given()
  health.failed(failure('23505'))
  await health.ping()
  expect(asked).toHaveLength(1)
  disk.full = true
  health.failed(failure('53100'))
  await expect(health.ping()).rejects.toThrow('53100')
  await expect(health.ping()).rejects.toThrow('53100')
  health.failed(failure('53100'))
  expect(said).toEqual([expect.stringContaining('full')])
  disk.full = false
  await health.ping()
  expect(said).toEqual([expect.anything(), expect.stringContaining('space again')])
  asked.length = 0
  await health.ping()
  expect(asked).toHaveLength(1)
})
