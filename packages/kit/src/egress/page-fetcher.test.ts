import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cert, key } from '../../test/localhost-certificate.ts'
import { createEndpointGuard } from './endpoint-guard.ts'
import { createPageFetcher, type PageFetcher, type PageOptions } from './page-fetcher.ts'

let outside: Server
let inside: Server
let answer: RequestListener
let visits: { outside: number; inside: number }
let fetcher: PageFetcher
const page: PageOptions = { accept: ['text/html', 'text/plain'], maxBytes: 1_000, timeoutMs: 10_000 }

beforeEach(async () => {
  visits = { outside: 0, inside: 0 }
  answer = (_request, response) => response.setHeader('content-type', 'text/html; charset=UTF-8').end('a page')
  outside = await listening((request, response) => {
    visits.outside += 1
    answer(request, response)
  })
  inside = await listening((_request, response) => {
    visits.inside += 1
    response.setHeader('content-type', 'text/html').end('a secret')
  })
  // Stands for a public server: its name may be dialled, no other one in this network.
  const guard = createEndpointGuard(['pages.example'], async () => [{ address: '127.0.0.1', family: 4 }])
  fetcher = createPageFetcher(guard)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  await fetcher.close()
  for (const server of [outside, inside]) {
    server.closeAllConnections()
    server.close()
  }
})

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer({ maxHeaderSize: 1024 * 1024 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
const portOf = (server: NetServer): number => (server.address() as AddressInfo).port
const outsideUrl = (path = '/'): string => `http://pages.example:${portOf(outside)}${path}`
const refusal = (code: string) => expect.objectContaining({ code })

describe('a fetched page', () => {
  test('has its declared type, and is fetched without cookies', async () => {
    let cookie: string | undefined = 'none yet'
    answer = (request, response) => {
      cookie = request.headers.cookie
      response.setHeader('set-cookie', 'a=b').setHeader('content-type', 'Text/HTML; charset="UTF-8"').end('a page')
    }
    await fetcher.fetch(outsideUrl(), page)
    const { url, contentType, charset, bytes } = await fetcher.fetch(outsideUrl('/again'), page)
    expect({ url, contentType, charset, text: Buffer.from(bytes).toString(), cookie }).toEqual({
      url: outsideUrl('/again'),
      contentType: 'text/html',
      charset: 'utf-8',
      text: 'a page',
      cookie: undefined,
    })
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['Identity', Buffer.from],
  ])('is decompressed from %s', async (encoding, pack) => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding }).end(pack('packed'))
    expect(Buffer.from((await fetcher.fetch(outsideUrl(), page)).bytes).toString()).toBe('packed')
  })

  test('follows redirects', async () => {
    answer = (request, response) => {
      if (request.url === '/end') response.setHeader('content-type', 'text/html').end('moved')
      else response.writeHead(302, { location: '/end' }).end()
    }
    expect((await fetcher.fetch(outsideUrl(), page)).url).toBe(outsideUrl('/end'))
  })
})

test('an address with a name or a password is not fetched', async () => {
  for (const who of ['user', 'user:secret', ':secret']) {
    const address = outsideUrl().replace('//', `//${who}@`)
    await expect(fetcher.fetch(address, page)).rejects.toEqual(refusal('validation_failed'))
  }
  expect(visits.outside).toBe(0)
})

describe('an internal address cannot be reached', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '①②⑦.0.0.1',
    '0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    'localhost.',
    'user@127.0.0.1',
    'pages.example@127.0.0.1',
    'pages.example.other.example',
    'pages.example\\@127.0.0.1',
  ])('written as %s', async (host) => {
    await expect(fetcher.fetch(`http://${host}:${portOf(inside)}/`, page)).rejects.toEqual(refusal('validation_failed'))
    expect(visits.inside).toBe(0)
  })

  test.each([301, 302, 303, 307, 308])('by a redirect with %i', async (status) => {
    answer = (_request, response) =>
      response.writeHead(status, { location: `http://inside.example:${portOf(inside)}/` }).end()
    await expect(fetcher.fetch(outsideUrl(), page)).rejects.toEqual(refusal('validation_failed'))
    expect(visits).toEqual({ outside: 1, inside: 0 })
  })

  test('without encryption, by a redirect of an encrypted page', async () => {
    // Its certificate is self-signed, which Node otherwise warns of.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    let location = '/end'
    const encrypted = createTlsServer({ key, cert }, (request, response) => {
      if (request.url === '/') response.writeHead(302, { location }).end()
      else response.setHeader('content-type', 'text/html').end('moved')
    }).listen(0, '127.0.0.1')
    await once(encrypted, 'listening')
    const address = `https://pages.example:${portOf(encrypted)}`
    expect((await fetcher.fetch(address, page)).url).toBe(`${address}/end`)
    location = outsideUrl()
    await expect(fetcher.fetch(address, page)).rejects.toEqual(refusal('validation_failed'))
    expect(visits.outside).toBe(0)
    encrypted.closeAllConnections()
    encrypted.close()
  })

  test.each(['file:///etc/passwd', 'ftp://pages.example/', 'data:text/html,hello', 'javascript:1', 'nonsense', ''])(
    'by the address %j',
    async (url) => {
      await expect(fetcher.fetch(url, page)).rejects.toEqual(refusal('validation_failed'))
    },
  )

  test("by a redirect in the page's markup", async () => {
    const refresh = `<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${portOf(inside)}/">`
    answer = (_request, response) => response.setHeader('content-type', 'text/html').end(refresh)
    await fetcher.fetch(outsideUrl(), page)
    expect(visits.inside).toBe(0)
  })
})

describe('a fetch is aborted for', () => {
  test('endless redirects', async () => {
    answer = (_request, response) => response.writeHead(302, { location: '/' }).end()
    await expect(fetcher.fetch(outsideUrl(), page)).rejects.toEqual(refusal('validation_failed'))
    expect(visits.outside).toBe(6)
  })

  test('an endless body', async () => {
    answer = (_request, response) => {
      response.setHeader('content-type', 'text/html')
      const more = (): void => void (response.writable && response.write('x'.repeat(1_000), more))
      more()
    }
    await expect(fetcher.fetch(outsideUrl(), page)).rejects.toEqual(refusal('payload_too_large'))
  })

  test('a small body that decompresses to a large one', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb)
    const enough = { maxBytes: 1_000_000, timeoutMs: 120_000 }
    await expect(fetcher.fetch(outsideUrl(), { ...page, ...enough })).rejects.toEqual(refusal('payload_too_large'))
  })

  test('a body that never arrives, at the deadline', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).write('x')
    for (const signal of [undefined, new AbortController().signal]) {
      const late = fetcher.fetch(outsideUrl(), { ...page, timeoutMs: 100, signal })
      await expect(late).rejects.toEqual(refusal('validation_failed'))
    }
  })

  test('oversized headers', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'x-much': 'y'.repeat(200_000) }).end()
    await expect(fetcher.fetch(outsideUrl(), page)).rejects.toEqual(refusal('validation_failed'))
  })

  test('an abort by the caller', async () => {
    const signal = AbortSignal.abort()
    await expect(fetcher.fetch(outsideUrl(), { ...page, signal })).rejects.toEqual(refusal('validation_failed'))
    expect(visits.outside).toBe(0)
  })
})

test.each(['compress', 'gzip, klingon', 'gzip, identity'])('a page encoded as %s is refused', async (encoding) => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(gzipSync('packed'))
  await expect(fetcher.fetch(outsideUrl(), page)).rejects.toEqual(refusal('unsupported_media'))
})

test.each([
  ['another type', 200, 'image/svg+xml', 'unsupported_media'],
  ['no type', 200, '', 'unsupported_media'],
  ['a failure', 500, 'text/html', 'validation_failed'],
])('%s is refused without revealing the content', async (_what, status, type, code) => {
  answer = (_request, response) => response.writeHead(status, type === '' ? {} : { 'content-type': type }).end('banner')
  const refused = await fetcher.fetch(outsideUrl(), page).catch((error: unknown) => error as Error)
  expect(refused).toEqual(refusal(code))
  expect((refused as Error).message).not.toMatch(/banner|500|\d{4,}|pages\.example/)
})
