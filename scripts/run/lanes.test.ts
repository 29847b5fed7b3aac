import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { inLane, socketOf } from './lanes.ts'

const never = new AbortController().signal
let lanes = 0
afterEach(() => void vi.restoreAllMocks().unstubAllEnvs())
const newLane = (): string => `test-${process.pid}-${++lanes}`

/** Resolves once a run has announced its wait, after which it connects at once, and the holder in this process has accepted it. */
function announcedWait(): () => Promise<void> {
  const log = vi.spyOn(console, 'log')
  return async () => {
    await expect.poll(() => log.mock.calls.length).toBe(1)
    for (let turns = 0; turns < 3; turns += 1) await setImmediate()
  }
}

it('runs in a lane follow each other, those in others do not wait', async () => {
  const [lane, other] = [newLane(), newLane()]
  const order: string[] = []
  const release = Promise.withResolvers<void>()
  const act = (name: string, until?: Promise<void>) => async () => {
    order.push(`${name} begins`)
    await until
    order.push(`${name} ends`)
  }
  const first = inLane(lane, never, act('first', release.promise))
  await expect.poll(() => order).toEqual(['first begins'])
  const later = ['second', 'third'].map((name) => inLane(lane, never, act(name)))
  await inLane(other, never, act('other'))
  expect(order).toEqual(['first begins', 'other begins', 'other ends'])
  release.resolve()
  await Promise.all([first, ...later])
  expect(order.slice(3, 4)).toEqual(['first ends'])
  expect([order[5], order[7]]).toEqual([order[4], order[6]].map((begun) => begun?.replace('begins', 'ends')))
  expect(existsSync(socketOf(lane))).toBe(false)
})

it('runs in a lane take turns: one that leaves it enters it again after those that wait', async () => {
  const lane = newLane()
  const order: string[] = []
  const release = Promise.withResolvers<void>()
  const wait = announcedWait()
  const first = inLane(lane, never, () => release.promise).then(() =>
    inLane(lane, never, async () => void order.push('first again')),
  )
  const second = inLane(lane, never, async () => void order.push('second'))
  await wait()
  release.resolve()
  await Promise.all([first, second])
  expect(order).toEqual(['second', 'first again'])
})

it('a lane is free after a failure, and once its holder was killed', async () => {
  const lane = newLane()
  await expect(inLane(lane, never, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const script = `require('node:net').createServer().listen(process.argv[1], () => console.log('held'))`
  const holder = spawn(process.execPath, ['-e', script, socketOf(lane)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  let hasRun = false
  const wait = announcedWait()
  const waiting = inLane(lane, never, async () => {
    hasRun = true
  })
  await wait()
  expect(hasRun).toBe(false)
  holder.kill('SIGKILL')
  await waiting
  expect(hasRun).toBe(true)
})

it('a wait for a lane ends when the run is aborted', async () => {
  const lane = newLane()
  const release = Promise.withResolvers<void>()
  const held = inLane(lane, never, () => release.promise)
  const aborting = new AbortController()
  const waiting = inLane(lane, aborting.signal, async () => 'without the lane')
  aborting.abort()
  expect(await waiting).toBe('without the lane')
  release.resolve()
  await held
})

it('other users can wait for the end of a run in a lane', { skip: process.platform === 'win32' }, async () => {
  const lane = newLane()
  const mode = await inLane(lane, never, async () => statSync(socketOf(lane)).mode)
  expect(mode & 0o666).toBe(0o666)
})

it('a lane whose holder cannot be reached or removed, such as of another user, is not waited for', {
  skip: process.platform === 'win32',
}, async () => {
  // The folder of all users. Node ignores the variable while the user is another one.
  vi.stubEnv('TMPDIR', '/tmp')
  const [unreachable, unremovable] = [newLane(), newLane()]
  const holder = createServer().listen(socketOf(unreachable))
  await once(holder, 'listening')
  chmodSync(socketOf(unreachable), 0)
  // A folder in the place of the socket: nobody listens, and it cannot be removed as a file.
  mkdirSync(socketOf(unremovable))
  const patience = AbortSignal.timeout(2_000)
  const user = process.geteuid?.()
  // Root may connect to any socket.
  if (user === 0) process.seteuid?.(65_534)
  try {
    for (const lane of [unreachable, unremovable]) expect(await inLane(lane, patience, async () => lane)).toBe(lane)
  } finally {
    if (user === 0) process.seteuid?.(0)
    holder.close()
    rmdirSync(socketOf(unremovable))
  }
  expect(patience.aborted).toBe(false)
})
