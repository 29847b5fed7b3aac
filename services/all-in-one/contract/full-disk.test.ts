import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AllInOneProcess, apiClient, openAllInOneProcess } from '@parley/testing'
import { afterEach, expect, it } from 'vitest'

const password = 'a long first password'
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

async function open(disk: string): Promise<{ parley: AllInOneProcess; dataDir: string }> {
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  const parley = await openAllInOneProcess(dataDir, { ADMIN_PASSWORD: password })
  undo.push(() => parley.close())
  return { parley, dataDir }
}

it('Parley started on a full disk ends with 1 and says which folder lies on it and what to do', async ({ skip }) => {
  const disk = mountDisk() ?? skip('a disk that can be filled takes the rights of root')
  const { parley, dataDir } = await open(disk)
  fill(disk)
  const { exit, output } = await parley.start()
  expect([await exit, output()]).toEqual([
    1,
    `The disk that holds ${dataDir} is full: free some space, or have DATA_DIR name a folder on another disk, and start again\n`,
  ])
}, 60_000)

it('Parley outlives a disk that fills while it runs: writes get 503, the log says why, and writes succeed once there is space', async ({
  skip,
}) => {
  const disk = mountDisk() ?? skip('a disk that can be filled takes the rights of root')
  const { parley } = await open(disk)
  const { ready, output } = await parley.start()
  await ready()
  const client = apiClient(parley.url)
  undo.push(() => client.close())
  const { body } = await client.post('/api/auth/login', { identifier: 'admin', password })
  const api = client.with({ authorization: `Bearer ${(body as { token: string }).token}` })
  const addPlan = async () => {
    const { status } = await api.post('/api/admin/plans', {
      name: `plan ${Math.random()}`,
      monthlyCredits: 1,
      description: 'x'.repeat(500),
    })
    return status
  }
  expect(await addPlan()).toBe(201)
  fill(disk)
  await expect.poll(addPlan, patience).toBe(503)
  await expect.poll(output, patience).toMatch(/No space left on device|disk of PostgreSQL is full/)
  rmSync(join(disk, 'filler'))
  await expect.poll(addPlan, patience).toBe(201)
}, 180_000)
