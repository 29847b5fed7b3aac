import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBodyMemory } from './body-memory.ts'
import { createDownloads, holdUntilTaken } from './downloads.ts'

const megabyte = 1024 * 1024
const server = createServer()
const readers: Socket[] = []
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const reader of readers.splice(0)) reader.destroy()
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

/** A reader that asks and reads nothing, and the response to it. */
async function ask() {
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  readers.push(reader)
  reader.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { reader, response }
}

/** More than the buffers between the two take. */
const size = 32 * megabyte
const given = (all: number, atOnce = 2) => createDownloads(createBodyMemory({ all, network: all }), atOnce)

/** A download by a reader that reads nothing. */
async function download(downloads: ReturnType<typeof given>, userId = 'ann', network = '4:1.1.1.1') {
  const { reader, response } = await ask()
  const file = {
    isRead: false,
    async bytes() {
      file.isRead = true
      return Buffer.alloc(size)
    },
  }
  const done = downloads.send({ userId, network }, { size, bytes: file.bytes }, response, (bytes) =>
    response.end(bytes),
  )
  const ended = done.then(
    () => (response.writableFinished ? 'sent' : 'cut'),
    (error: { readonly code: string }) => error.code,
  )
  return { file, reader, response, ended }
}
const isRead = ({ file }: Awaited<ReturnType<typeof download>>) => expect.poll(() => file.isRead).toBe(true)

describe('downloads of files', () => {
  it('that nobody reads take only so many places of their user, until one of them ends', async () => {
    const downloads = given(10 * size)
    const [first, second] = [await download(downloads), await download(downloads)]
    const third = await download(downloads)
    const ofAnother = await download(downloads, 'bob')
    for (const each of [first, second, ofAnother]) await isRead(each)
    expect(third.file.isRead).toBe(false)
    first.reader.destroy()
    expect(await first.ended).toBe('cut')
    await isRead(third)
    third.reader.resume()
    expect(await third.ended).toBe('sent')
  })

  it('that take too much memory together cut off the one that takes longest', async () => {
    const downloads = given(2 * size)
    const first = await download(downloads, 'ann')
    const others = [await download(downloads, 'bob'), await download(downloads, 'cid')]
    for (const each of [first, ...others]) await isRead(each)
    expect(await first.ended).toBe('cut')
    expect(first.response.destroyed).toBe(true)
    for (const { reader } of others) reader.resume()
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual(['sent', 'sent'])
  })

  it('whose reader left while they waited are not read', async () => {
    const downloads = given(10 * size, 1)
    const first = await download(downloads)
    await isRead(first)
    const second = await download(downloads)
    second.reader.destroy()
    await once(second.response, 'close')
    first.reader.resume()
    expect([await first.ended, await second.ended]).toEqual(['sent', 'cut'])
    expect(second.file.isRead).toBe(false)
  })
})

describe('responses that are counted until they are taken', () => {
  /** Answers requests, of whose responses two fit into the memory. */
  function given() {
    const memory = createBodyMemory({ all: 2 * size, network: 2 * size })
    return async () => {
      const { reader, response } = await ask()
      holdUntilTaken(memory, '4:1.1.1.1', response).add(size)
      response.end(Buffer.alloc(size))
      return { reader, response, closed: once(response, 'close') }
    }
  }

  it('take no more memory than there is: the one that takes longest is cut off, and one that was read makes room', async () => {
    const answer = given()
    const [first, second, third] = [await answer(), await answer(), await answer()]
    await first.closed
    expect(first.response.writableFinished).toBe(false)
    second.reader.resume()
    await second.closed
    expect(second.response.writableFinished).toBe(true)
    await answer()
    expect(third.response.destroyed).toBe(false)
    await answer()
    await third.closed
    expect(third.response.writableFinished).toBe(false)
  })

  it('no longer count once they were read: those that are older and still taken are not cut off for them', async () => {
    const answer = given()
    const [slow, quick] = [await answer(), await answer()]
    quick.reader.resume()
    await quick.closed
    await answer()
    expect(slow.response.destroyed).toBe(false)
  })
})
