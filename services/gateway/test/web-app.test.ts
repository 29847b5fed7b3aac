import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtFiles, type Given, givenGateway } from './given.ts'

const script = '/assets/main-abc123.js'
const page = builtFiles['index.html']
const text = builtFiles['assets/main-abc123.js']
const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

describe('the files of the SPA', () => {
  let given: Given
  beforeAll(async () => {
    given = await givenGateway()
  })
  afterAll(() => given.close())

  /** The raw response. */
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
      const request = httpRequest(given.url + path, { method, headers: { accept: '*/*', ...headers } })
      request.on('error', reject)
      request.on('response', (response) => {
        const { statusCode: status, headers: told } = response
        buffer(response).then((bytes) => resolve({ status, headers: told, bytes }), reject)
      })
      request.end()
    })

  it.each([
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['deflate', undefined],
    ['identity', undefined],
    ['br;q=0, gzip;q=0', undefined],
    [undefined, undefined],
  ])(
    'are served to a client that accepts %s with hashed names as %s, to be cached forever',
    async (accepted, encoding) => {
      const { status, headers, bytes } = await get(
        script,
        accepted === undefined ? {} : { 'accept-encoding': accepted },
      )
      expect(status).toBe(200)
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers).toMatchObject({
        vary: expect.stringMatching(/accept-encoding/i),
        'content-type': expect.stringMatching(/^text\/javascript/),
        'content-length': String(bytes.length),
        'cache-control': expect.stringMatching(/max-age=31536000, immutable/),
      })
      expect((decoders[encoding ?? '']?.(bytes) ?? bytes).toString()).toBe(text)
    },
  )

  it('are served uncompressed if the build has not compressed them', async () => {
    const { status, headers, bytes } = await get('/assets/plain-abc123.js?v=1', { 'accept-encoding': 'br, gzip' })
    expect([status, headers['content-encoding'], bytes.toString()]).toEqual([200, undefined, 'export {}'])
  })

  it.each(['/', '/c/abc', '/index.html'])('the page for %s is compressed, and revalidated each time', async (path) => {
    const { headers, bytes } = await get(path, { accept: 'text/html', 'accept-encoding': 'gzip, br' })
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^text\/html; charset=utf-8$/i),
      'cache-control': 'no-cache',
    })
    expect(brotliDecompressSync(bytes).toString()).toBe(page)
    const again = await get(path, { accept: 'text/html', 'accept-encoding': 'br', 'if-none-match': `${headers.etag}` })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    const plain = await get(path, { accept: 'text/html', 'if-none-match': `${headers.etag}` })
    expect([plain.status, plain.bytes.toString()]).toEqual([200, page])
  })

  it('HEAD has the headers of GET, without the file', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const accepted = { 'accept-encoding': encoding }
      const [whole, head] = [await get(script, accepted), await get(script, accepted, 'HEAD')]
      const { date: _, 'x-request-id': _id, ...told } = head.headers
      expect(whole.headers).toMatchObject(told)
      expect([head.status, head.bytes.length]).toEqual([200, 0])
    }
  })

  it('a range refers to bytes of the served encoding', async () => {
    for (const encoding of ['br', 'identity']) {
      const whole = await get(script, { 'accept-encoding': encoding })
      const part = await get(script, { 'accept-encoding': encoding, range: 'bytes=3-9' })
      expect(part.status).toBe(206)
      expect(part.headers['content-encoding']).toBe(whole.headers['content-encoding'])
      expect(part.headers['content-range']).toBe(`bytes 3-9/${whole.bytes.length}`)
      expect(part.bytes).toEqual(whole.bytes.subarray(3, 10))
    }
  })

  it.each(['br', 'identity'])('a range beyond the %s file is refused as JSON that is not cached', async (encoding) => {
    const { status, headers, bytes } = await get(script, { 'accept-encoding': encoding, range: 'bytes=9000-' })
    expect([status, headers['content-encoding'], headers['cache-control']]).toEqual([400, undefined, undefined])
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: 'validation_failed' })
  })

  it('a missing file is missing in every encoding', async () => {
    const { status, headers } = await get('/assets/gone-abc123.js', { 'accept-encoding': 'br, gzip' })
    expect([status, headers['content-encoding']]).toEqual([404, undefined])
  })

  it('a stream of the API is never compressed', async () => {
    given.chat.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`id: 1\ndata: ${JSON.stringify({ text: 'word '.repeat(2_000) })}\n\n`)
    }
    const { headers, bytes } = await get('/api/chat/guest-info', { 'accept-encoding': 'br, gzip' })
    expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/event-stream', undefined])
    expect(bytes.toString()).toContain('word word')
  })
})
