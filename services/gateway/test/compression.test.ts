import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { ApiCaller, ApiClient } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Given, givenGateway } from './given.ts'

const long = JSON.stringify({ chats: Array.from({ length: 200 }, (_, at) => ({ title: `Chat ${at} “ü”` })) })

describe('compressed responses', () => {
  let given: Given
  let api: ApiClient
  let ann: ApiCaller
  beforeAll(async () => {
    given = await givenGateway()
    given.auth.settings.rateLimits.web.maxRequests = 1_000
    api = given.api
    ann = await given.signIn('ann')
  })
  afterAll(() => given.close())
  beforeEach(() => {
    given.chat.answer = (_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        etag: '"1"',
        'content-length': Buffer.byteLength(long),
      })
      response.end(long)
    }
  })

  const read = async (encoding: string | undefined, method: 'GET' | 'HEAD' = 'GET') => {
    const headers: Record<string, string> = encoding === undefined ? {} : { 'accept-encoding': encoding }
    const { status, headers: received, body } = await ann.open(method, '/api/chat/history', { headers })
    const parts: Buffer[] = []
    for await (const part of body) parts.push(part as Buffer)
    return { status, headers: received, bytes: Buffer.concat(parts) }
  }

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=1, *;q=0', gunzipSync],
  ])('are a long JSON text in %s for a caller who accepts it', async (encoding, accepted, decompress) => {
    const { headers, bytes } = await read(accepted)
    expect(headers).toMatchObject({ 'content-encoding': encoding, etag: '"1"', vary: 'Origin, Accept-Encoding' })
    expect(headers).not.toHaveProperty('content-length')
    expect(decompress(bytes).toString()).toBe(long)
    expect(bytes.length).toBeLessThan(long.length / 4)
  })

  it.each([undefined, 'identity', 'gzip;q=0'])('are not sent to a caller who accepts %s', async (accepted) => {
    const { headers, bytes } = await read(accepted)
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(long)))
    expect(bytes.toString()).toBe(long)
  })

  it('are not short texts, images or parts of a file', async () => {
    for (const [status, type, text] of [
      [200, 'application/json', '{}'],
      [200, 'image/png', long],
      [206, 'text/csv', long],
    ] as const) {
      given.chat.answer = (_request, response) =>
        response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
      const { headers, bytes } = await read('gzip')
      expect(headers).not.toHaveProperty('content-encoding')
      expect(bytes.toString()).toBe(text)
    }
  })

  it('leave the headers of a HEAD request as they are', async () => {
    const { headers, bytes } = await read('gzip', 'HEAD')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(long)))
    expect(bytes).toHaveLength(0)
  })

  it('pass a long response completely to a slow reader', async () => {
    const random = JSON.stringify(Array.from({ length: 100_000 }, () => Math.random()))
    given.chat.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(random)
    const { body } = await ann.open('GET', '/api/chat/history', { headers: { 'accept-encoding': 'gzip' } })
    const parts: Buffer[] = []
    for await (const part of body) {
      parts.push(part as Buffer)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(gunzipSync(Buffer.concat(parts)).toString()).toBe(random)
  })

  it('break off when the service does', async () => {
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 * long.length })
      response.write(long, () => response.destroy())
    }
    await expect(read('gzip')).rejects.toThrow()
  })

  it('cancel the service’s request when the caller leaves', async () => {
    const left = new Promise<void>((resolve) => {
      given.chat.answer = (_request, response) => {
        response.once('close', () => resolve())
        response.writeHead(200, { 'content-type': 'application/json' }).write(long)
      }
    })
    const leave = new AbortController()
    await ann.open('GET', '/api/chat/history', { headers: { 'accept-encoding': 'gzip' }, signal: leave.signal })
    leave.abort()
    await left
  })

  it('are no event streams', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    given.chat.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${long}\n\n`)
    const stream = await ann.open('POST', '/api/chat', { body: { message: 'x', model: 'v3' }, headers })
    expect(stream.headers).not.toHaveProperty('content-encoding')
    expect(await stream.body.text()).toContain(long)
  })

  it('is the API’s description', async () => {
    const { headers, body } = await api.open('GET', '/api/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    const parts: Buffer[] = []
    for await (const part of body) parts.push(part as Buffer)
    expect(headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(Buffer.concat(parts)).toString())).toHaveProperty('openapi')
  })
})
