import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { freePort, type HttpListener, listen } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startIngress } from '../src/ingress.ts'

describe('the ingress', () => {
  const address = { host: '127.0.0.1', port: 0 }
  let gateway: HttpListener
  let web: HttpListener
  let ingress: HttpListener
  let answerOfGateway: (request: IncomingMessage, response: ServerResponse) => void
  beforeEach(async () => {
    answerOfGateway = (asked, response) => response.end(`gateway ${asked.url}`)
    gateway = await listen((asked, response) => answerOfGateway(asked, response), address)
    web = await listen((asked, response) => response.end(`web ${asked.url}`), address)
    ingress = await startIngress({ gatewayUrl: gateway.url, webUrl: web.url }, 0)
  })
  afterEach(() => Promise.all([ingress, gateway, web].map((server) => server.close(0))))
  const get = async (path: string): Promise<string> => (await fetch(ingress.url + path)).text()

  it.each(['/api', '/api/chat?x=1', '/API/chat', '//api/chat', '/api/../etc'])(
    'sends %s to the gateway',
    async (path) => {
      const asked = request(ingress.url, { path }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      expect(String((await once(answer, 'data'))[0])).toMatch(/^gateway /)
    },
  )

  it.each(['/', '/c/1', '/apis', '/assets/a.js', '/internal/x'])('sends %s to the web server', async (path) => {
    expect(await get(path)).toBe(`web ${path}`)
  })

  it("appends the client's address to X-Forwarded-For", async () => {
    answerOfGateway = (asked, response) => response.end(`${asked.headers['x-forwarded-for']} ${asked.headers.host}`)
    expect(await get('/api/x')).toBe(`127.0.0.1 ${new URL(ingress.url).host}`)
    const answer = await fetch(`${ingress.url}/api/x`, { headers: { 'x-forwarded-for': '9.9.9.9' } })
    expect(await answer.text()).toMatch(/^9\.9\.9\.9, 127\.0\.0\.1 /)
  })

  it('relays answers unbuffered, and a broken one as broken', async () => {
    let stream: ServerResponse | undefined
    answerOfGateway = (_asked, response) => {
      stream = response
      response.setHeader('content-type', 'text/event-stream').write('data: 1\n\n')
    }
    const answer = await fetch(`${ingress.url}/api/x`)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toBe('data: 1\n\n')
    stream?.write('data: 2\n\n')
    expect(await read()).toBe('data: 2\n\n')
    stream?.destroy()
    await expect(read()).rejects.toThrow()
  })

  it('disconnects from the gateway when the client disconnects', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<ServerResponse>()
    answerOfGateway = (_asked, response) => {
      response.write('data: 1\n\n')
      begin(response)
    }
    const caller = new AbortController()
    await fetch(`${ingress.url}/api/x`, { signal: caller.signal })
    const response = await begun
    const closed = once(response, 'close')
    caller.abort()
    await closed
  })

  it.each([
    ['/api/x', { code: 'unavailable' }],
    ['/api/v1/models', { error: { code: 'unavailable', type: 'server_error' } }],
  ])('reports an unavailable gateway in the documented shape of %s', async (path, body) => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    const lonely = await startIngress({ gatewayUrl: nobody, webUrl: web.url }, 0)
    const answer = await fetch(lonely.url + path)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).not.toBeNull()
    expect(await answer.json()).toMatchObject(body)
    await lonely.close(0)
  })
})
