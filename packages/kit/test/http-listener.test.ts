import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type HttpListener, listen } from '../src/http/http-listener.ts'

const graceMs = 20_000
const agent = new Agent({ keepAlive: true })
let listener: HttpListener | undefined
afterEach(async () => {
  agent.destroy()
  await listener?.close(0)
})

async function start(handler: RequestListener): Promise<HttpListener> {
  listener = await listen(handler, { host: '127.0.0.1', port: 0 })
  return listener
}

async function ask({ url }: HttpListener): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage]
  return response
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return text
}

it('a draining listener serves requests, and closes their connections', async () => {
  const server = await start((_request, response) => void response.end('answer'))
  const before = await ask(server)
  expect([before.headers.connection, await textOf(before)]).toEqual(['keep-alive', 'answer'])
  server.drain()
  const after = await ask(server)
  expect([after.headers.connection, await textOf(after)]).toEqual(['close', 'answer'])
})

it('a draining listener closes once the last response has ended, though its client keeps the connection alive', async () => {
  let end = (): void => undefined
  const server = await start((_request, response) => {
    response.write('first ')
    end = () => void response.end('last')
  })
  const answer = await ask(server)
  const closed = server.close(graceMs)
  end()
  expect(await textOf(answer)).toBe('first last')
  await closed
  await expect(fetch(server.url)).rejects.toThrow()
})

it('a draining listener lets a slow reader receive a whole response', async () => {
  const large = 'x'.repeat(20_000_000)
  const server = await start((_request, response) => void response.end(large))
  const answer = await ask(server)
  const closed = server.close(graceMs)
  expect((await textOf(answer)).length).toBe(large.length)
  await closed
})

it('a draining listener interrupts responses that run longer than the grace period', async () => {
  const server = await start((_request, response) => void response.write('never ends'))
  const answer = await ask(server)
  await server.close(20)
  await expect(textOf(answer)).rejects.toThrow('aborted')
})

it.each([
  [
    'with oversized headers',
    `GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(40_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['that is not HTTP', 'GET / HTTP/1.1\r\nhost: x\r\nno header\r\n\r\n', 400, 'validation_failed'],
  [
    'with two lengths',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
    400,
    'validation_failed',
  ],
])(
  'a request %s is refused in the documented shape, also on a kept connection',
  async (_what, request, status, code) => {
    const server = await start((_request, response) => void response.end('answer'))
    const connection = connect(Number(new URL(server.url).port), '127.0.0.1').setEncoding('utf8')
    let text = ''
    connection.on('data', (chunk) => {
      // Once the first request is answered, its connection is kept.
      if (text === '') connection.write(request)
      text += chunk
    })
    connection.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(connection, 'close')
    const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1')).split('\r\n\r\n')
    const refusal = JSON.parse(body)
    expect([head.split(' ')[1], refusal.code]).toEqual([String(status), code])
    expect(head).toContain(`x-request-id: ${refusal.requestId}`)
  },
)

it('what cannot be read behind a response under way ends it, and no refusal becomes a part of it', async () => {
  const server = await start((_request, response) => void response.write('first'))
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => {
    if (!text.includes('first') && `${text}${chunk}`.includes('first')) socket.write('no request\r\n\r\n')
    text += chunk
  })
  socket.on('error', () => undefined)
  socket.write('GET / HTTP/1.1\r\nhost: parley.test\r\n\r\n')
  await once(socket, 'close')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
})
