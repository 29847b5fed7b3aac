import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, type Dispatcher, request } from 'undici'
import { AppError, isAppError } from '../errors/app-error.ts'
import type { EndpointGuard } from './endpoint-guard.ts'
import { guardedConnector } from './guarded-connector.ts'

/** The page to fetch, and the bounds on it. */
export interface PageOptions {
  /** Media types that are taken, in lower case and without parameters. */
  readonly accept: readonly string[]
  /** Bytes of the decompressed content; a larger page is refused. */
  readonly maxBytes: number
  /** Milliseconds for everything, redirects included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** A page as it was given. */
export interface Page {
  /** The final URL, after redirects. */
  readonly url: string
  /** As the server declared it, in lower case and without parameters. */
  readonly contentType: string
  /** The charset parameter of the declared type; lower case, undefined without one. */
  readonly charset: string | undefined
  readonly bytes: Uint8Array
}

/** Fetches what strangers name: never anything inside the operator's networks, without cookies or keys. */
export interface PageFetcher {
  /**
   * Follows up to five redirects, each judged like the first address, and none from https to http.
   * @throws AppError unsupported_media for another type, payload_too_large for too many bytes, else validation_failed; none tells what was found there
   */
  fetch(url: string, options: PageOptions): Promise<Page>
  /** Ends every connection. Idempotent. */
  close(): Promise<void>
}

const mostHops = 5
const connectMs = 5_000
const maxHeaderBytes = 32 * 1024
/** Some sites refuse programs that do not name themselves. */
const userAgent = 'Mozilla/5.0 (compatible; Parley/1.0)'

/** A fetcher that opens connections on demand, to addresses that the guard lets through. */
export function createPageFetcher(guard: EndpointGuard): PageFetcher {
  const agent = new Agent({
    connect: guardedConnector(guard, connectMs),
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 1_000,
  })
  return {
    async fetch(address, options) {
      const deadline = AbortSignal.timeout(options.timeoutMs)
      const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline])
      try {
        return await follow(agent, parseAddress(address), options, signal)
      } catch (error) {
        throw isAppError(error) ? error : unreachable(error)
      }
    },
    close: () => agent.destroy(),
  }
}

async function follow(agent: Agent, first: URL, options: PageOptions, signal: AbortSignal): Promise<Page> {
  let url = first
  for (let hop = 0; hop <= mostHops; hop += 1) {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      headers: { accept: options.accept.join(', '), 'accept-encoding': 'gzip, br', 'user-agent': userAgent },
    })
    const target = redirectOf(response, url)
    if (target === undefined) return await readPage(response, url, options, signal)
    discard(response.body)
    url = target
  }
  throw unreachable(new Error('too many redirects'))
}

/** The target of a redirect; undefined when it is none. */
function redirectOf({ statusCode, headers, body }: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined
  try {
    const target = parseAddress(String(headers.location ?? ''), from)
    if (from.protocol === 'https:' && target.protocol === 'http:') throw unreachable(new Error('redirect to http'))
    return target
  } catch (error) {
    discard(body)
    throw error
  }
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url === null || !/^https?:$/.test(url.protocol)) throw unreachable(new Error('no http address'))
  if (url.username !== '' || url.password !== '') throw unreachable(new Error('address with credentials'))
  return url
}

async function readPage(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  { accept, maxBytes }: PageOptions,
  signal: AbortSignal,
): Promise<Page> {
  try {
    if (statusCode < 200 || statusCode > 299) throw unreachable(new Error(`status ${statusCode}`))
    const [declared = '', ...parameters] = String(headers['content-type'] ?? '').split(';')
    const contentType = declared.trim().toLowerCase()
    if (!accept.includes(contentType))
      throw new AppError('unsupported_media', 'The address returned an unsupported type of content.')
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    const bytes = await readAtMost(unpacked(body, headers['content-encoding'], signal), maxBytes)
    return { url: url.href, contentType, charset: charsetOf(parameters), bytes }
  } finally {
    discard(body)
  }
}

function charsetOf(parameters: readonly string[]): string | undefined {
  const found = parameters.map((each) => /^\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(each)?.[1]).find(Boolean)
  return found?.toLowerCase()
}

function unpacked(body: Readable, encoding: unknown, signal: AbortSignal): Readable {
  const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }
  if (encoding === undefined || encoding === 'identity') return body
  const name = String(encoding).trim().toLowerCase()
  if (!Object.hasOwn(unpackers, name)) throw unreachable(new Error('unknown content encoding'))
  const unpacker = unpackers[name as keyof typeof unpackers]()
  body.once('error', (error) => unpacker.destroy(error))
  signal.addEventListener('abort', () => unpacker.destroy(new Error('aborted')), { once: true })
  return body.pipe(unpacker)
}

async function readAtMost(content: Readable, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop destroys the stream, so that nothing more of it is unpacked.
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A body that is no longer read fails when its connection is closed; that is no error. */
function discard(body: Readable): void {
  body.on('error', () => undefined)
  body.destroy()
}

const tooLarge = (): AppError => new AppError('payload_too_large', 'The content at this address is too large.')

const unreachable = (cause: unknown): AppError =>
  new AppError('validation_failed', 'The address couldn’t be fetched.', { cause })
