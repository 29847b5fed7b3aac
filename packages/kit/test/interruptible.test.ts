import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'

const script = fileURLToPath(new URL('./interruptible-process.ts', import.meta.url))
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function start(how = '') {
  const child = spawn(process.execPath, [script, how], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const ended = once(child, 'close')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  return { child, output: () => output, exitCode: async () => (await ended)[0] as number | null }
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('work interrupted by %s is abandoned, cleans up, and the process exits with %i', async (signal, code) => {
  const { child, output, exitCode } = start()
  await expect.poll(output).toBe('working\n')
  child.kill(signal)
  expect([await exitCode(), output()]).toEqual([code, 'working\ncleaned up\n'])
})

it('a second signal ends a process at once whose clean-up does not end', async () => {
  const { child, output, exitCode } = start('ever')
  await expect.poll(output).toBe('working\n')
  const again = setInterval(() => child.kill('SIGINT'), 100)
  expect([await exitCode(), output()]).toEqual([130, 'working\n'])
  clearInterval(again)
})

it('work that is not interrupted returns its result, and the process ends by itself', async () => {
  const { output, exitCode } = start('done')
  expect([await exitCode(), output()]).toEqual([0, 'result\n'])
})
