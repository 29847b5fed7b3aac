import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { type HttpListener, listen } from '../src/http-listener.ts'

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
