import type { IncomingMessage } from 'node:http'
import { defaultBodyDepth, defaultBodyLimit, defaultBodyValues, type Route } from '@parley/contracts'
import { AppError, tooSlow } from '../errors/app-error.ts'
import { exceededBound, type JsonBounds } from './json-text.ts'

/** A body has to bring so many bytes in each of these spans of milliseconds, or end. */
const leastBytes = 64 * 1024
const spanMs = 5_000
/** And to end within so many of them, which is two minutes. */
const mostSpans = 24
/** Bytes beyond the limit that are still drained, as a sender may be deaf until it has sent all. */
const drainedBytes = 1024 * 1024

/** Refuses a body that would be larger once unpacked: what is counted, and what waits in a line, are the bytes that came. @throws AppError unsupported_media */
export function refuseEncoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers['content-encoding'] === undefined) return
  throw new AppError('unsupported_media', 'Send the body without a content-encoding.')
}

/** Whether a request announces a body. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Bytes that a route's body may have. */
export const bodyLimitOf = ({ bodyLimit = defaultBodyLimit }: Pick<Route, 'bodyLimit'>): number => bodyLimit

/** What the sender of a body over the route's limit is told. */
export const tooLargeBody = ({ tooLarge = 'The request is too large' }: Pick<Route, 'tooLarge'> = {}): AppError =>
  new AppError('payload_too_large', tooLarge)

export interface ReadBodyOptions {
  /** Bytes that it may have. */
  readonly limit: number
  /** Bytes up to which one that is too large is drained before it is refused; a megabyte more than the limit by default. */
  readonly drainLimit?: number
  /** What its sender is told then. */
  readonly tooLarge?: () => AppError
  /** Told of the bytes of each part that comes, before it is kept. */
  readonly onBytes?: (bytes: number) => void
  /** Ends the reading, by a refusal as its reason. */
  readonly signal?: AbortSignal
}

/**
 * The whole body where all of it has come by now, as that of a small request has once its handler waited for anything; else undefined. Whatever came of it is
 * taken only then.
 */
export const bodyAtHand = (request: IncomingMessage): Buffer | undefined =>
  request.complete && !request.readableDidRead ? ((request.read() as Buffer | null) ?? undefined) : undefined

/**
 * Reads a whole body.
 * @throws AppError payload_too_large, request_timeout when it comes more slowly than 64 kB in 5 s or takes two minutes, or validation_failed when its sender leaves,
 * and the reason of the signal
 */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
  const { limit, drainLimit = limit + drainedBytes, tooLarge = tooLargeBody, onBytes, signal } = options
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0)
    const kept = createParts(announced <= limit ? announced : 0)
    let size = 0
    let inSpan = 0
    let spans = 0
    let isSettled = false
    const settle = (act: () => void): void => {
      if (isSettled) return
      isSettled = true
      clearInterval(watch)
      request.off('data', take).off('end', finish).off('close', breakOff).off('error', breakOff)
      signal?.removeEventListener('abort', giveUp)
      act()
    }
    const take = (chunk: Buffer): void => {
      onBytes?.(chunk.length)
      if (isSettled) return
      size += chunk.length
      inSpan += chunk.length
      if (size <= limit) kept.add(chunk)
      else kept.drop()
      if (size > drainLimit) refuse(tooLarge())
    }
    const finish = (): void => (size > limit ? refuse(tooLarge()) : settle(() => resolve(kept.whole())))
    const refuse = (error: AppError): void =>
      settle(() => {
        request.pause()
        kept.drop()
        reject(error)
      })
    const giveUp = (): void => refuse(signal?.reason as AppError)
    const breakOff = (): void => refuse(new AppError('validation_failed', 'The request was cut off'))
    const look = (): void => {
      // What came while this process was busy is read before it is judged.
      setImmediate(() => {
        spans += 1
        if (inSpan < leastBytes || spans === mostSpans) refuse(tooSlow())
        inSpan = 0
      })
    }
    const watch = setInterval(look, spanMs)
    signal?.addEventListener('abort', giveUp)
    if (signal?.aborted) giveUp()
    else if (request.destroyed && !request.readableEnded) breakOff()
    else request.on('data', take).once('end', finish).once('close', breakOff).once('error', breakOff)
  })
}

/** Bytes of a body whose parts are put together as they come: at its end that would hold everybody up, and take its memory twice. */
const largeBytes = 1024 * 1024

/** Keeps the parts of a body. @param announced bytes of it; 0 when that is unknown */
function createParts(announced: number) {
  const parts: Buffer[] = []
  let large: Buffer | undefined
  let size = 0
  const begin = (): Buffer => {
    const whole = Buffer.allocUnsafeSlow(announced)
    let at = 0
    for (const part of parts.splice(0)) at += part.copy(whole, at)
    return whole
  }
  return {
    add(part: Buffer): void {
      // Only once an eighth is there: what is announced and does not come takes no memory.
      if (announced > largeBytes && size > announced / 8) large ??= begin()
      if (large === undefined) parts.push(part)
      else part.copy(large, size)
      size += part.length
    },
    drop(): void {
      parts.length = 0
      large = undefined
    },
    whole: (): Buffer => large ?? Buffer.concat(parts, size),
  }
}

const jsonBoundsOf = (route: Pick<Route, 'bodyDepth' | 'bodyValues'>): JsonBounds => ({
  depth: route.bodyDepth ?? defaultBodyDepth,
  values: route.bodyValues ?? defaultBodyValues,
})

/** What the sender of JSON beyond a bound of the route is told. */
export function unboundedJson(exceeded: keyof JsonBounds, route: Pick<Route, 'bodyDepth' | 'bodyValues'>): AppError {
  const { depth, values } = jsonBoundsOf(route)
  const reason = {
    depth: `The JSON is nested too deeply: at most ${depth} levels are read.`,
    values: `The JSON is too large: at most ${values} values are read.`,
  }
  return new AppError('validation_failed', reason[exceeded])
}

// Bytes that are no text are refused: replaced, different passwords would be equal.
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A route's body out of its bytes. @throws AppError validation_failed when it is no JSON, or beyond the route's bounds */
export function parseJsonBody(bytes: Uint8Array, route: Pick<Route, 'bodyDepth' | 'bodyValues'>): unknown {
  // Counted before it is parsed.
  const exceeded = exceededBound(bytes, jsonBoundsOf(route))
  if (exceeded !== undefined) throw unboundedJson(exceeded, route)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    // What the parser says repeats the text that it was given.
    throw new AppError('validation_failed', 'The request couldn’t be read')
  }
}
