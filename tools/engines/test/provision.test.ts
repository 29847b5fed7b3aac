import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provision } from '../src/native/provision.ts'

let cache: string
let built: number
beforeEach(async () => {
  built = 0
  cache = await mkdtemp(join(tmpdir(), 'parley-cache-'))
  vi.stubEnv('PARLEY_CACHE', cache)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(cache, { recursive: true })
})

async function build(draft: string): Promise<void> {
  built += 1
  await writeFile(join(draft, 'content'), 'whole')
}
const folders = () => readdir(join(cache, 'engines'))

test('provisioning builds once per recipe', async () => {
  const place = await provision('thing', ['recipe'], build)
  expect(await readFile(join(place, 'content'), 'utf8')).toBe('whole')
  expect(await provision('thing', ['recipe'], build)).toBe(place)
  expect(built).toBe(1)
  expect(await provision('thing', ['another'], build)).not.toBe(place)
})

test('several processes may provision concurrently', async () => {
  const places = await Promise.all([1, 2, 3].map(() => provision('thing', ['recipe'], build)))
  expect(new Set(places).size).toBe(1)
  expect(await folders()).toHaveLength(1)
})

test('a failed provisioning leaves nothing and is retried', async () => {
  const failing = async (draft: string): Promise<void> => {
    await build(draft)
    throw new Error('no network')
  }
  await expect(provision('thing', ['recipe'], failing)).rejects.toThrow('no network')
  expect(await folders()).toEqual([])
  await provision('thing', ['recipe'], build)
  expect(await folders()).toHaveLength(1)
})
