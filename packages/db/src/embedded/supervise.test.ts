import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createLogger } from '@parley/kit'
import { expect, it } from 'vitest'
import { superviseServer } from './supervise.ts'

it('stops without being told of the end, which nobody tells a process that has nothing else to wait for', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const ended = once(child, 'exit')
  const server = { pid: child.pid ?? 0, port: 0, url: '', exited: new Promise<void>(() => undefined) }
  const stop = superviseServer(
    server,
    () => Promise.reject(new Error('is not started again')),
    createLogger('test', 'silent'),
  )
  await stop()
  expect(await ended).toEqual([null, 'SIGINT'])
})
