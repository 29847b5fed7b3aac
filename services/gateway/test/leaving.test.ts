import type { ServerResponse } from 'node:http'
import { type ApiCaller, collect, readEvents, untilPasses } from '@parley/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeAuth } from './fake-auth.ts'
import { closed, type Given, givenGateway } from './given.ts'

const signedIn = (given: Given): Promise<ApiCaller> => {
  given.auth.settings.rateLimits.web.maxRequests = 10_000
  return given.signIn('ann')
}

describe('a service’s replica that leaves', () => {
  let given: Given
  let ann: ApiCaller
  let ledAstray = 0
  beforeAll(async () => {
    given = await givenGateway({
      chatUrl: () => {
        ledAstray -= 1
        return ledAstray >= 0 ? closed : undefined
      },
    })
    ann = await signedIn(given)
  })
  afterAll(() => given.close())
  beforeEach(() => {
    given.chat.received.length = 0
    ledAstray = 0
  })
  const sent = () => given.chat.received.map(({ method, body }) => [method, body])

  /** Handles the first calls this way, and answers the others. */
  const first = (count: number, act: (response: ServerResponse) => void): void => {
    let calls = 0
    given.chat.answer = (_request, response) => {
      calls += 1
      if (calls <= count) act(response)
      else response.setHeader('x-odd', 'kept').end('"there"')
    }
  }
  const cut = (response: ServerResponse): void => void response.destroy()
  const leave = (response: ServerResponse): void => {
    response.writeHead(503, { connection: 'close', 'retry-after': '2' }).end('"leaving"')
  }
  const keyed = { message: 'x', model: 'v3', clientMessageId: 'one' }

  it('before it answers a read gets it retried', async () => {
    first(1, cut)
    const answer = await ann.get('/api/chat/history')
    expect([answer.status, answer.body, answer.headers['x-odd']]).toEqual([200, 'there', 'kept'])
    expect(sent()).toEqual([
      ['GET', ''],
      ['GET', ''],
    ])
  })

  it('with every connection broken gets two attempts and no more', async () => {
    first(3, cut)
    expect(await ann.get('/api/chat/history')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(sent()).toHaveLength(2)
  })

  it.each([
    ['with a clientMessageId', keyed, {}],
    ['with an Idempotency-Key', { message: 'x', model: 'v3' }, { 'idempotency-key': 'one' }],
  ])('before it answers a send %s gets it retried, byte for byte', async (_how, body, headers) => {
    first(1, cut)
    expect((await ann.post('/api/chat', body, { headers })).body).toBe('there')
    expect(sent()).toEqual([
      ['POST', JSON.stringify(body)],
      ['POST', JSON.stringify(body)],
    ])
  })

  it.each([
    ['a send without a key', 'POST', '/api/chat', { message: '"clientMessageId":"x"', model: 'v3' }],
    ['a change', 'PUT', '/api/chat/history/c1/rename', { title: 'New' }],
    ['a removal', 'DELETE', '/api/chat/history/c1', undefined],
  ])('before it answers %s gets no retry, and no kept connection', async (_what, method, path, body) => {
    first(1, cut)
    expect((await ann.send(method, path, { body })).status).toBe(503)
    expect(given.chat.received.map(({ headers }) => headers.connection)).toEqual(['close'])
  })

  it('gets a guest’s send retried only with a known session', async () => {
    const { api } = given
    first(1, cut)
    expect((await api.post('/api/chat', keyed)).status).toBe(503)
    first(1, cut)
    expect((await api.post('/api/chat', keyed, { headers: { 'x-guest-session-id': 'known' } })).body).toBe('there')
  })

  it('is skipped when it refuses because it is draining', async () => {
    first(3, leave)
    expect((await ann.post('/api/chat', keyed)).body).toBe('there')
    expect(sent()).toHaveLength(4)
  })

  it('is skipped even if that refusal breaks off', async () => {
    let leaving: ServerResponse | undefined
    given.chat.answer = (_request, response) => {
      if (leaving === undefined) {
        leaving = response.writeHead(503, { connection: 'close', 'content-length': '9' })
        leaving.flushHeaders()
        return
      }
      const { socket } = leaving
      // The gateway sees the close before the response that follows.
      socket?.once('close', () => setImmediate(() => response.end('"there"')))
      socket?.resetAndDestroy()
    }
    const answer = await ann.post('/api/chat', keyed)
    expect([answer.status, answer.body]).toEqual([200, 'there'])
    expect(sent()).toHaveLength(2)
  })

  it('has its refusal passed on for a call that cannot be retried', async () => {
    first(1, leave)
    const answer = await ann.put('/api/chat/history/c1/rename', { title: 'New' })
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([503, 'leaving', '2'])
  })

  it('is not assumed when a service refuses for other reasons', async () => {
    first(1, (response) => void response.writeHead(503, { 'retry-after': '2' }).end('"later"'))
    expect(await ann.get('/api/chat/history')).toMatchObject({ status: 503, body: 'later' })
    expect(sent()).toHaveLength(1)
  })

  it.each([
    ['GET', '/api/chat/history', undefined],
    ['PUT', '/api/chat/history/c1/rename', { title: 'New' }],
    ['POST', '/api/chat', { message: 'x', model: 'v3' }],
  ])('and cannot be reached any more loses no %s %s', async (method, path, body) => {
    first(0, cut)
    ledAstray = 2
    expect((await ann.send(method, path, { body })).body).toBe('there')
    expect(sent()).toEqual([[method, body === undefined ? '' : JSON.stringify(body)]])
  })

  it('during its response breaks the caller’s response off', async () => {
    first(1, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
      setImmediate(() => response.destroy())
    })
    const answer = await ann.open('POST', '/api/chat', { body: keyed })
    await expect(collect(readEvents(answer))).rejects.toThrow()
    expect(sent()).toHaveLength(1)
  })
})

describe('a gateway that leaves', () => {
  const opened: Given[] = []
  afterEach(async () => {
    for (const given of opened.splice(0)) await given.close()
  })
  const gateway = async (options: Parameters<typeof givenGateway>[0] = {}): Promise<Given> => {
    const given = await givenGateway(options)
    opened.push(given)
    return given
  }

  it('lets running responses end', async () => {
    const given = await gateway()
    const ann = await signedIn(given)
    let answer: ServerResponse | undefined
    given.chat.answer = (_request, response) => {
      answer = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
    }
    const reading = collect(readEvents(await ann.open('POST', '/api/chat', { body: {} })))
    await expect.poll(() => answer).toBeDefined()
    given.drain()
    const left = given.gateway.stop(20_000)
    answer?.end('data: two\n\n')
    expect((await reading).map(({ data }) => data)).toEqual(['one', 'two'])
    await left
  })

  it('loses none of 200 running answers, and neither does its replacement', async () => {
    const auth = await startFakeAuth()
    const replicas = [await gateway({ auth }), await gateway({ auth })]
    const running: ServerResponse[] = []
    const readings: Promise<string>[] = []
    for (const given of replicas) {
      const ann = await signedIn(given)
      given.chat.answer = (_request, response) => {
        running.push(response)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n')
      }
      for (let nth = 0; nth < 100; nth += 1) {
        readings.push(ann.open('POST', '/api/chat', { body: {} }).then(({ body }) => body.text()))
      }
    }
    await untilPasses(() => expect(running).toHaveLength(200))
    const left = replicas.map(({ gateway: leaving }) => leaving.stop(20_000))
    for (const response of running) {
      response.write('data: two\n\n')
      setImmediate(() => response.end('data: three\n\n'))
    }
    await Promise.all(left)
    expect(new Set(await Promise.all(readings))).toEqual(new Set(['data: one\n\ndata: two\n\ndata: three\n\n']))
    await auth.close()
  })
})
