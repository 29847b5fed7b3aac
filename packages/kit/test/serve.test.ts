import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const script = fileURLToPath(new URL('./serving-process.ts', import.meta.url))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Resolves once the process has logged `until`. */
async function start(waits: 'nothing' | 'ever' | 'stuck', until: string) {
  const child = spawn(process.execPath, [script, waits], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  // Its last words may come after its end.
  const ended = once(child, 'close')
  const lines: Record<string, unknown>[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  const said = (): unknown[] => lines.map(({ msg, after }) => (after === undefined ? msg : `${msg} after ${after}`))
  await expect.poll(said).toContain(until)
  const url = String(lines.find(({ msg }) => msg === 'listening')?.url)
  /** By their time: at its end a logger writes what waits beside what it is still writing. Within one millisecond either may be first. */
  const expectLastLogLines = (...words: string[]): void => {
    expect(said().slice(-words.length)).toEqual(expect.arrayContaining(words))
    const times = words.map((word) => Number(lines[said().lastIndexOf(word)]?.time))
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  }
  return { child, said, expectLastLogLines, url, exitCode: async () => (await ended)[0] as number | null }
}

it('a service on SIGTERM finishes responses, serves late requests, closes in order and exits with 0', async () => {
  const { child, expectLastLogLines, url, exitCode } = await start('nothing', 'started')
  const stream = await fetch(`${url}/stream`)
  child.kill('SIGTERM')
  await expect.poll(async () => await (await fetch(url)).text()).toBe('draining')
  expect(await stream.text()).toBe('begun ended')
  expect(await exitCode()).toBe(0)
  expectLastLogLines('stopping', 'engine closed after service stopped')
})

it('a service exits immediately on a second signal', async () => {
  const { child, said, url, exitCode } = await start('nothing', 'started')
  const stream = await fetch(`${url}/stream`)
  child.kill('SIGTERM')
  const again = setInterval(() => child.kill('SIGTERM'), 100)
  await expect(stream.text()).rejects.toThrow()
  expect(await exitCode()).toBe(1)
  clearInterval(again)
  expect(said().at(-1)).toBe('stopping')
})

it('a service on SIGTERM before its engines are available exits with 0', async () => {
  const { child, expectLastLogLines, url, exitCode } = await start('ever', 'not available yet; retrying')
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  child.kill('SIGTERM')
  expect(await exitCode()).toBe(0)
  expectLastLogLines('stopping', 'engine closed after service stopped')
})

it('a service after an uncaught exception logs it, closes what it can and exits with 1', async () => {
  const { expectLastLogLines, url, exitCode } = await start('nothing', 'started')
  await fetch(`${url}/fault`)
  expect(await exitCode()).toBe(1)
  expectLastLogLines('uncaught exception; the process exits', 'engine closed after service stopped')
})

it('a service exits if its shutdown takes too long', async () => {
  const { child, said, exitCode } = await start('stuck', 'started')
  child.kill('SIGTERM')
  expect(await exitCode()).toBe(1)
  expect(said().at(-1)).toBe('the shutdown takes too long; the process exits')
})
