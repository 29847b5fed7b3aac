import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AllInOneProcess, apiClient, mountSmallDisk, openAllInOneProcess, type SmallDisk } from '@parley/testing'
import { afterEach, expect, it } from 'vitest'

const password = 'a long first password'
/** A first start creates the database, possibly on a busy machine. */
const startMs = 120_000
const patience = { timeout: 60_000, interval: 100 }

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

function openDisk(): SmallDisk | undefined {
  const disk = mountSmallDisk()
  if (disk !== undefined) undo.push(disk.close)
  return disk
}

async function open({ folder }: SmallDisk): Promise<{ parley: AllInOneProcess; dataDir: string }> {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  const parley = await openAllInOneProcess(dataDir, { ADMIN_PASSWORD: password })
  undo.push(() => parley.close())
  return { parley, dataDir }
}

const refusal = (dataDir: string): string =>
  `The disk that holds ${dataDir} is full: free some space, or set DATA_DIR to a folder on another disk, and start again\n`

it('Parley started on a full disk exits with 1 and reports the folder and what to do, which helps', async ({
  skip,
}) => {
  const disk = openDisk() ?? skip('a disk that can be filled takes the rights of root')
  const { parley, dataDir } = await open(disk)
  disk.fill()
  const { exit, output } = await parley.start()
  expect([await exit, output()]).toEqual([1, refusal(dataDir)])
  disk.empty()
  await (await parley.start()).ready(startMs)
})

it('Parley started on existing data on a disk that has filled up exits with 1 and reports the folder and what to do', async ({
  skip,
}) => {
  const disk = openDisk() ?? skip('a disk that can be filled takes the rights of root')
  const { parley, dataDir } = await open(disk)
  const first = await parley.start()
  await first.ready(startMs)
  first.signal('SIGTERM')
  expect(await first.exit).toBe(0)
  disk.fill()
  const { exit, output } = await parley.start()
  expect([await exit, output()]).toEqual([1, refusal(dataDir)])
  disk.empty()
  await (await parley.start()).ready(startMs)
})

it('Parley survives a disk that fills up while it runs: writes get 503, the log has the reason, and writes succeed once there is space', async ({
  skip,
}) => {
  const disk = openDisk() ?? skip('a disk that can be filled takes the rights of root')
  const { parley } = await open(disk)
  const { ready, output } = await parley.start()
  await ready(startMs)
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
  disk.fill()
  await expect.poll(addPlan, patience).toBe(503)
  await expect.poll(output, patience).toMatch(/No space left on device|disk of PostgreSQL is full/)
  disk.empty()
  await expect.poll(addPlan, patience).toBe(201)
})
