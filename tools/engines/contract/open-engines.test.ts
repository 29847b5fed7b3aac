import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EngineName, Engines } from '../src/index.ts'

const noSocket = 'unix:///nowhere/docker.sock'

let cache: string
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'parley-cache-'))
})
afterEach(() => rm(cache, { recursive: true }))

/** Opens engines with an empty PATH and only these variables. */
async function askFor(
  names: readonly EngineName[],
  variables: Readonly<Record<string, string>>,
): Promise<Pick<Engines, 'urls' | 'sources' | 'notRun'>> {
  const script = fileURLToPath(new URL('./engine-asker.ts', import.meta.url))
  const env = { PATH: '/nowhere', HOME: homedir(), PARLEY_CACHE: cache, DOCKER_HOST: noSocket, ...variables }
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...names], { env })
  return JSON.parse(stdout)
}

test('a URL in the environment is used unchanged', async () => {
  const variables = { TEST_REDIS_URL: 'redis://elsewhere:1', TEST_KAFKA_BROKERS: 'a:1,b:2', PARLEY_ENGINES: 'native' }
  expect(await askFor(['redis', 'kafka'], variables)).toEqual({
    urls: { redis: 'redis://elsewhere:1', kafka: 'a:1,b:2' },
    sources: { redis: 'environment', kafka: 'environment' },
    notRun: [],
  })
})

test('unavailable engines are listed with all reasons, and leave nothing behind', async () => {
  const { urls, notRun } = await askFor(['kafka', 'mongo', 'redis'], {})
  expect(urls).toEqual({})
  expect(notRun.map(({ name }) => name)).toEqual(['kafka', 'mongo', 'redis'])
  for (const { name, reason } of notRun) {
    expect(reason).toContain('docker: no Docker engine answers')
    expect(reason).toMatch(
      name === 'redis'
        ? /native: redis-server is not installed, .* apt-get is not installed/
        : 'native: mvn is not installed',
    )
  }
  expect(await readdir(join(cache, 'engines'))).toEqual([])
})

test('a Docker engine that does not answer is given up', async () => {
  const server = createServer((socket) => socket.resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const DOCKER_HOST = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { notRun } = await askFor(['redis'], { DOCKER_HOST, PARLEY_ENGINES: 'docker' })
  expect(notRun).toEqual([{ name: 'redis', reason: expect.stringContaining('no Docker engine answers') }])
  await new Promise((resolve) => server.close(resolve))
})

test('an engine in TEST_WITHOUT is not tried', async () => {
  const { notRun } = await askFor(['kafka'], { TEST_WITHOUT: 'mongo,kafka' })
  expect(notRun).toEqual([{ name: 'kafka', reason: 'excluded by TEST_WITHOUT' }])
})
