import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOutput, type Output } from '../src/output.ts'
import { type SupervisedReplica, superviseReplica } from '../src/replica.ts'

const patient = { timeout: 20_000 }

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a supervised process', () => {
  let output: Output
  let replica: SupervisedReplica
  const supervise = async (environment: Record<string, string> = {}): Promise<SupervisedReplica> => {
    const port = await freePort()
    const main = join(import.meta.dirname, 'echo-service.ts')
    replica = superviseReplica({
      ...{ name: 'echo#1', port, main, output },
      environment: { PORT: String(port), ...environment },
    })
    return replica
  }
  beforeEach(() => {
    output = createOutput(() => undefined)
  })
  afterEach(() => replica.destroy())
  const answer = async (): Promise<number> => Number(await (await fetch(replica.url)).text())

  it('is ready once its process reports it, and its output is recorded under its name', async () => {
    const { started, port } = await supervise()
    await started()
    expect(replica.ready).toBe(true)
    expect(await answer()).toBe(replica.pid)
    expect(output.text()).toBe(`echo#1 | listening at ${port}`)
  })

  it('is restarted on the same port after it has died, which is counted', async () => {
    await (await supervise()).started()
    const before = replica.pid
    await replica.kill('SIGKILL')
    expect(replica.ready).toBe(false)
    await replica.restarted()
    expect(replica.pid).not.toBe(before)
    expect(await answer()).toBe(replica.pid)
    expect(replica.restarts).toBe(1)
  })

  it('is only restarted manually if automatic restarts are off', async () => {
    await (await supervise()).started()
    replica.restartOnDeath(false)
    await replica.kill('SIGTERM')
    expect(runs(replica.pid)).toBe(false)
    replica.start()
    await replica.restarted()
    expect(await answer()).toBe(replica.pid)
  })

  it('is not ready while frozen, and recovers afterwards', async () => {
    await (await supervise()).started()
    const { pid } = replica
    replica.freeze()
    await expect.poll(() => replica.ready, patient).toBe(false)
    replica.thaw()
    await expect.poll(() => replica.ready, patient).toBe(true)
    expect(replica).toMatchObject({ pid, restarts: 0 })
  })

  it('is not ready while its process is not', async () => {
    await supervise({ UNREADY: 'yes' })
    await expect.poll(() => output.text(), patient).toContain('listening')
    await expect.poll(answer, patient).toBe(replica.pid)
    expect(replica.ready).toBe(false)
  })

  it('reports how a process exited that never became ready', async () => {
    const { started } = await supervise({ FAIL: 'yes' })
    await expect(started()).rejects.toThrow('echo#1 ended with 3 before it was ready')
    await expect.poll(() => output.text(), patient).toContain('echo#1 | nothing works')
  })

  it('stops for good, frozen or not', async () => {
    await (await supervise()).started()
    replica.freeze()
    expect(await replica.stop(60_000)).toEqual({ code: 0, signal: null })
    expect(runs(replica.pid)).toBe(false)
    replica.start()
    expect(replica.restarts).toBe(0)
  })
})

it('a supervised process ends with a killed launcher, even if it is frozen', async () => {
  const launcher = spawn(process.execPath, [join(import.meta.dirname, 'launcher.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(launcher.stdout, 'data')
  const pid = Number(String(line))
  expect(runs(pid)).toBe(true)
  process.kill(pid, 'SIGSTOP')
  launcher.kill('SIGKILL')
  await expect.poll(() => runs(pid), patient).toBe(false)
})
