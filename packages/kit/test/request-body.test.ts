import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { AppError, type ReadBodyOptions, readBody } from '../src/index.ts'

let close: () => void = () => undefined
afterEach(() => {
  vi.useRealTimers()
  close()
})

/** Sends the head of a request with a body, and hands over what came of it and how it goes on. */
async function begin(head: string, limit = 100, more: Partial<ReadBodyOptions> = {}) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  sender.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`)
  const [request] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  close = () => {
    sender.destroy()
    server.close()
    server.closeAllConnections()
  }
  return { request, sender, body: readBody(request, { limit, drainLimit: 2 * limit, ...more }) }
}

it('a body sent in chunks is read whole', async () => {
  const { sender, body } = await begin('Content-Length: 6')
  for (const piece of ['ab', 'cd', 'ef']) sender.write(piece)
  expect((await body).toString()).toBe('abcdef')
})

it.each(['Content-Length: 3000000', 'Transfer-Encoding: chunked'])(
  'a large body with %s is read whole and in order',
  async (head) => {
    const text = Array.from({ length: 300_000 }, (_none, nth) => String(nth).padStart(10)).join('')
    const { sender, body } = await begin(head, text.length)
    sender.write(head.startsWith('Content') ? text : `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)
    expect((await body).toString() === text).toBe(true)
  },
)

it('a body is aborted by its signal, with the signal’s reason, after its bytes were reported', async () => {
  const giveUp = new AbortController()
  let came = 0
  const onBytes = (bytes: number) => {
    came += bytes
    if (came === 4) giveUp.abort(new AppError('unavailable', 'No room'))
  }
  const { sender, body } = await begin('Content-Length: 6', 100, { onBytes, signal: giveUp.signal })
  const refused = expect(body).rejects.toMatchObject({ code: 'unavailable' })
  sender.write('abcd')
  await refused
  expect(came).toBe(4)
})

it('a body of unknown length that is too large is refused at its end, and an endless one before', async () => {
  const first = await begin('Transfer-Encoding: chunked')
  first.sender.write(`96\r\n${'x'.repeat(150)}\r\n0\r\n\r\n`)
  await expect(first.body).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(first.request.complete).toBe(true)
  close()
  const second = await begin('Transfer-Encoding: chunked')
  second.sender.write(`fff\r\n${'x'.repeat(300)}`)
  await expect(second.body).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(second.request.complete).toBe(false)
})

it('a body whose client disconnects is refused', async () => {
  const { sender, body } = await begin('Content-Length: 6')
  const refused = expect(body).rejects.toMatchObject({ code: 'validation_failed' })
  sender.destroy()
  await refused
})

it('a body slower than 64 kB in 5 s is refused, and a faster one may take longer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const { request, sender, body } = await begin('Content-Length: 200000', 200_000)
  const refused = expect(body).rejects.toMatchObject({ code: 'request_timeout', status: 408 })
  let came = 0
  request.on('data', (piece: Buffer) => {
    came += piece.length
  })
  sender.write('x'.repeat(70_000))
  while (came < 70_000) await once(request, 'data')
  vi.advanceTimersByTime(5_000)
  await new Promise((resolve) => setImmediate(resolve))
  sender.write('x'.repeat(60_000))
  while (came < 130_000) await once(request, 'data')
  vi.advanceTimersByTime(5_000)
  await refused
})

it('a body that takes two minutes is refused, whatever its size', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const { request, sender, body } = await begin('Content-Length: 3000000', 3_000_000)
  const refused = expect(body).rejects.toMatchObject({ code: 'request_timeout', status: 408 })
  let isRefused = false
  body.catch(() => {
    isRefused = true
  })
  let came = 0
  request.on('data', (piece: Buffer) => {
    came += piece.length
  })
  for (let span = 1; span <= 24; span += 1) {
    expect(isRefused).toBe(false)
    sender.write('x'.repeat(70_000))
    while (came < span * 70_000) await once(request, 'data')
    vi.advanceTimersByTime(5_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await refused
})
