import { Agent, fetch, type Response } from 'undici'
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

export interface Page {
  /** The final URL, after redirects. */
  readonly url: string
  /** As the server declared it, in lower case and without parameters. */
  readonly contentType: string
  /** The charset parameter of the declared type; lower case, undefined without one. */
  readonly charset: string | undefined
  readonly bytes: Uint8Array
}

export type PageFetcher = ReturnType<typeof createPageFetcher>

const mostHops = 5
const connectMs = 5_000
const maxHeaderBytes = 32 * 1024
/** Some sites refuse programs that do not name themselves. */
const userAgent = 'Mozilla/5.0 (compatible; Parley/1.0)'

/**
 * Fetches what strangers name: never anything inside the operator's networks, without cookies or keys. Opens connections on demand.
 * @param guard chooses the addresses that may be connected to
 */
export function createPageFetcher(guard: EndpointGuard) {
  const agent = new Agent({
    connect: guardedConnector(guard, connectMs),
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 1_000,
  })
  return {
    /**
     * Follows up to five redirects, each judged like the first address, and none from https to http.
     * @throws AppError unsupported_media for another type, payload_too_large for too many bytes, else validation_failed; none tells what was found there
     */
    async fetch(address: string, options: PageOptions): Promise<Page> {
      const deadline = AbortSignal.timeout(options.timeoutMs)
      const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline])
      try {
        return await follow(agent, parseAddress(address), options, signal)
      } catch (error) {
        throw isAppError(error) ? error : unreachable(error)
      }
    },
    /** Ends every connection. Idempotent. */
    close: () => agent.destroy(),
  }
}

async function follow(agent: Agent, first: URL, options: PageOptions, signal: AbortSignal): Promise<Page> {
  const headers = { accept: options.accept.join(', '), 'user-agent': userAgent }
  let url = first
  for (let hop = 0; hop <= mostHops; hop += 1) {
    const response = await fetch(url, { dispatcher: agent, signal, headers, redirect: 'manual' })
    try {
      const target = redirectOf(response, url)
      if (target === undefined) return await readPage(response, url, options)
      url = target
    } finally {
      // Nothing more of it is fetched, nor unpacked.
      await response.body?.cancel().catch(() => undefined)
    }
  }
  throw unreachable(new Error('too many redirects'))
}

/** The target of a redirect; undefined when it is none. */
function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const target = parseAddress(headers.get('location') ?? '', from)
  if (from.protocol === 'https:' && target.protocol === 'http:') throw unreachable(new Error('redirect to http'))
  return target
}

function parseAddress(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (url === null || !/^https?:$/.test(url.protocol)) throw unreachable(new Error('no http address'))
  if (url.username !== '' || url.password !== '') throw unreachable(new Error('address with credentials'))
  return url
}

async function readPage(
  { ok, status, headers, body }: Response,
  url: URL,
  { accept, maxBytes }: PageOptions,
): Promise<Page> {
  if (!ok) throw unreachable(new Error(`status ${status}`))
  const [declared = '', ...parameters] = (headers.get('content-type') ?? '').split(';')
  const contentType = declared.trim().toLowerCase()
  const codings = (headers.get('content-encoding') ?? 'identity').toLowerCase()
  if (!accept.includes(contentType) || !isUnpacked(codings))
    throw new AppError('unsupported_media', 'The address returned an unsupported type of content.')
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const bytes = await readAtMost(body ?? [], maxBytes)
  return { url: url.href, contentType, charset: charsetOf(parameters), bytes }
}

/** `fetch` passes a body in any other coding on as it is. */
const unpackedCodings = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd'])

const isUnpacked = (codings: string): boolean =>
  codings === 'identity' || codings.split(',').every((coding) => unpackedCodings.has(coding.trim()))

function charsetOf(parameters: readonly string[]): string | undefined {
  const found = parameters.map((each) => /^\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(each)?.[1]).find(Boolean)
  return found?.toLowerCase()
}

async function readAtMost(content: AsyncIterable<Uint8Array> | [], maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (): AppError => new AppError('payload_too_large', 'The content at this address is too large.')

const unreachable = (cause: unknown): AppError =>
  new AppError('validation_failed', 'The address couldn’t be fetched.', { cause })
