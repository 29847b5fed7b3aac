import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NativeEngine, type NativeRedis, startNativeRedis } from '../src/index.ts'
import { nativeSamples } from './native-samples.ts'

/** Generous, for busy machines on which several servers start at once. */
const slow = 120_000

describe.each(nativeSamples)('a native $name', ({ start, write, read }) => {
  let folder: string
  let engine: NativeEngine
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-native-'))
    engine = await start({ folder })
  }, 2 * slow)
  afterAll(async () => {
    await engine?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('keeps acknowledged writes and its address through kill -9', { timeout: slow }, async () => {
    const { pid } = engine
    await write(engine.url, 'one')
    await engine.kill('SIGKILL')
    await expect(write(engine.url, 'lost')).rejects.toThrow()
    await engine.start()
    expect(engine.pid).not.toBe(pid)
    expect(await read(engine.url)).toEqual(['one'])
  })

  test('answers nothing while frozen, and continues afterwards', { timeout: slow }, async () => {
    engine.freeze()
    await expect(write(engine.url, 'perhaps')).rejects.toThrow()
    engine.thaw()
    await write(engine.url, 'two')
    // What was written meanwhile may still arrive, before or after.
    expect((await read(engine.url)).filter((word) => word !== 'perhaps')).toEqual(['one', 'two'])
  })

  test('reports a crash, but not a requested exit', { timeout: slow }, async () => {
    const lost: string[] = []
    engine.onLost((reason) => lost.push(reason))
    await engine.kill('SIGTERM')
    await engine.start()
    expect(lost).toEqual([])
    process.kill(engine.pid, 'SIGKILL')
    await expect
      .poll(() => lost, { timeout: 20_000 })
      .toEqual([expect.stringContaining(`${engine.name} ended by itself`)])
  })
})

describe('a native Redis', () => {
  let folder: string
  let redis: NativeRedis
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-native-'))
    redis = await startNativeRedis({ folder })
  }, 2 * slow)
  afterAll(async () => {
    await redis?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('takes commands, and loses all data with its process', async () => {
    expect(await redis.command(['SET', 'key', 'ä b'])).toBe('OK')
    expect(await redis.command(['STRLEN', 'key'])).toBe('4')
    await expect(redis.command(['INCR', 'key'])).rejects.toThrow('not an integer')
    await redis.kill('SIGKILL')
    await redis.start()
    expect(await redis.command(['EXISTS', 'key'])).toBe('0')
  })

  test('cannot be started twice, and reports why it does not start', async () => {
    await expect(redis.start()).rejects.toThrow('is running')
    const port = Number(new URL(redis.url).port)
    await expect(startNativeRedis({ folder: join(folder, 'second'), port })).rejects.toThrow(/address already in use/i)
  })
})

test('engines do not outlive the process that started them', { timeout: slow }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-native-'))
  const child = fork(fileURLToPath(new URL('./engine-owner.ts', import.meta.url)), [folder], { execArgv: [] })
  const [pids] = (await once(child, 'message')) as [number[]]
  expect(pids.map(isRunning)).toEqual([true, true])
  child.kill('SIGKILL')
  await expect.poll(() => pids.map(isRunning), { timeout: 20_000 }).toEqual([false, false])
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
