import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createBodyMemory } from './body-memory.ts'
import { createBodySlots, type SlotCounts } from './body-slots.ts'

const megabyte = 1024 * 1024
const server = createServer()
const senders: Socket[] = []
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  vi.useRealTimers()
  for (const sender of senders.splice(0)) sender.destroy()
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

/** A request with a body of six bytes, of which nothing has come. */
async function begin() {
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  senders.push(sender)
  sender.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  return { request, finish: () => sender.write('abcdef') }
}

const given = (counts: SlotCounts) =>
  createBodySlots(counts, createBodyMemory({ all: 10 * megabyte, network: 5 * megabyte }))

/** A body whose act goes on until it is told to end. */
async function bring(slots: ReturnType<typeof given>, userId: string, network: string) {
  const { request, finish } = await begin()
  const act = {
    isBeingRead: () => request.listenerCount('data') > 0,
    isThere: false,
    finish,
    end: (): void => undefined,
  }
  const done = slots.run({ userId, network }, { request, limit: megabyte }, async () => {
    act.isThere = true
    await new Promise<void>((resolve) => {
      act.end = resolve
    })
  })
  // Looked at below where it is of interest.
  done.catch(() => undefined)
  return { ...act, isThere: () => act.isThere, end: () => act.end(), done }
}
const beingRead = (bodies: readonly { isBeingRead(): boolean }[]) => bodies.map((body) => body.isBeingRead())

const few: SlotCounts = { all: [3, 10], network: [2, 10], user: [1, 10] }
const [here, there] = ['4:1.1.1.1', '4:2.2.2.2']

it('accounts of one network take no more body slots than the network has, and leave those of other networks free', async () => {
  // No body becomes a slow one, which gives its slot away.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const slots = given(few)
  const same = []
  for (const userId of ['a', 'a', 'b', 'c']) same.push(await bring(slots, userId, here))
  const other = await bring(slots, 'd', there)
  expect(beingRead([...same, other])).toEqual([true, false, true, false, true])
})

it('a received body frees the slot of its network at once, and that of its user once its act has ended', async () => {
  const slots = given({ ...few, network: [1, 10] })
  const [first, second, third] = [
    await bring(slots, 'a', here),
    await bring(slots, 'a', here),
    await bring(slots, 'b', here),
  ]
  expect(beingRead([first, second, third])).toEqual([true, false, false])
  first.finish()
  await expect.poll(() => beingRead([second, third])).toEqual([false, true])
  third.finish()
  await expect.poll(() => [first.isThere(), third.isThere()]).toEqual([true, true])
  expect(second.isBeingRead()).toBe(false)
  first.end()
  await expect.poll(second.isBeingRead).toBe(true)
})

it('slow bodies free their slots for others, and are accepted once they have been received', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const slots = given(few)
  const slow = []
  for (const userId of ['a', 'b', 'c', 'd']) slow.push(await bring(slots, userId, here))
  const next = await bring(slots, 'e', here)
  expect(beingRead([...slow, next])).toEqual([true, true, false, false, false])
  for (let rounds = 0; rounds < 2; rounds += 1) {
    vi.advanceTimersByTime(1_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(beingRead([...slow, next])).toEqual([true, true, true, true, true])
  for (const body of [next, ...slow]) {
    body.finish()
    await vi.waitFor(() => expect(body.isThere()).toBe(true))
  }
})

it('more bodies of one user than may wait are refused (503)', async () => {
  const slots = given({ ...few, user: [1, 1] })
  await bring(slots, 'a', here)
  await bring(slots, 'a', here)
  const third = await bring(slots, 'a', here)
  await expect(third.done).rejects.toMatchObject({ code: 'unavailable' })
})

it('the bytes of a body count until the promise has settled that its act holds them for', async () => {
  const slots = createBodySlots(few, createBodyMemory({ all: 10, network: 10 }))
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  const run = async () => {
    const { request, finish } = await begin()
    finish()
    const user = { userId: 'a', network: here }
    return await slots.run(user, { request, limit: megabyte }, async (bytes, holdUntil) => {
      holdUntil(settled)
      return bytes.length
    })
  }
  expect(await run()).toBe(6)
  await expect(run()).rejects.toMatchObject({ code: 'unavailable' })
  settle()
  await expect.poll(run).toBe(6)
})
