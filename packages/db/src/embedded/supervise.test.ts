import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createLogger } from '@parley/kit'
import { expect, it } from 'vitest'
import { superviseServer } from './supervise.ts'

it("a supervisor stops without a notification of the server's exit", async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const ended = once(child, 'exit')
  const server = {
    pid: child.pid ?? 0,
    port: 0,
    url: '',
    socketFolder: undefined,
    exited: new Promise<void>(() => undefined),
  }
  const stop = superviseServer(
    server,
    () => Promise.reject(new Error('is not started again')),
    createLogger('test', 'silent'),
  )
  await stop()
  expect(await ended).toEqual([null, 'SIGINT'])
})
