import type { IncomingMessage } from 'node:http'
import { defaultBodyDepth, defaultBodyLimit, defaultBodyValues, type Route } from '@parley/contracts'
import type { RequestHandler } from 'express'
import { AppError } from './app-error.ts'
import { exceededBound, type JsonBounds } from './json-text.ts'

/** A body has to bring so many bytes in each of these spans of milliseconds, or end. */
const leastBytes = 64 * 1024
const spanMs = 5_000
/** And to end within these. */
const wholeMs = 120_000
/** Bytes beyond the limit that are still drained, as a sender may be deaf until it has sent all. */
const drainedBytes = 1024 * 1024

/** Refuses bodies that would be larger once unpacked: what is counted, and what waits in a line, are the bytes that came. */
export const refuseEncodedBody: RequestHandler = (request, _response, next) => {
  if (request.headers['content-encoding'] === undefined) next()
  else next(new AppError('unsupported_media', 'Send the body without a content-encoding.'))
}

/** Bytes that a route's body may have. */
export const bodyLimitOf = ({ bodyLimit = defaultBodyLimit }: Pick<Route, 'bodyLimit'>): number => bodyLimit

/** What the sender of a body over the route's limit is told. */
export const tooLargeBody = ({ tooLarge = 'The request is too large' }: Pick<Route, 'tooLarge'> = {}): AppError =>
  new AppError('payload_too_large', tooLarge)

/** How a body is read. */
export interface ReadBodyOptions {
  /** Bytes that it may have. */
  readonly limit: number
  /** Bytes up to which one that is too large is drained before it is refused; a megabyte more than the limit by default. */
  readonly drainLimit?: number
  /** What its sender is told then. */
  readonly tooLarge?: () => AppError
}

/**
 * Reads a whole body.
 * @throws AppError payload_too_large, request_timeout when it comes more slowly than 64 kB in 5 s or takes two minutes, or validation_failed when its sender leaves
 */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<Buffer> {
  const { limit, drainLimit = limit + drainedBytes, tooLarge = tooLargeBody } = options
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let inSpan = 0
    let isSettled = false
    const settle = (act: () => void): void => {
      if (isSettled) return
      isSettled = true
      clearInterval(watch)
      clearTimeout(late)
      request.off('data', take).off('end', finish).off('close', breakOff).off('error', breakOff)
      act()
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      inSpan += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks.length = 0
      if (size > drainLimit) refuse(tooLarge())
    }
    const finish = (): void => (size > limit ? refuse(tooLarge()) : settle(() => resolve(Buffer.concat(chunks, size))))
    const refuse = (error: AppError): void =>
      settle(() => {
        request.pause()
        reject(error)
      })
    const breakOff = (): void => refuse(new AppError('validation_failed', 'The request was cut off'))
    const look = (): void => {
      // What came while this process was busy is read before it is judged.
      setImmediate(() => {
        if (inSpan < leastBytes) refuse(tooSlow())
        inSpan = 0
      })
    }
    const watch = setInterval(look, spanMs)
    const late = setTimeout(() => refuse(tooSlow()), wholeMs)
    if (request.destroyed && !request.readableEnded) breakOff()
    else request.on('data', take).once('end', finish).once('close', breakOff).once('error', breakOff)
  })
}

const tooSlow = (): AppError =>
  new AppError('request_timeout', 'The request was too slow. Please try again on a faster connection.')

/** The bounds of a route's JSON. */
const jsonBoundsOf = (route: Pick<Route, 'bodyDepth' | 'bodyValues'>): JsonBounds => ({
  depth: route.bodyDepth ?? defaultBodyDepth,
  values: route.bodyValues ?? defaultBodyValues,
})

/** Counts what a JSON text holds, before it is parsed. @throws AppError validation_failed when that is beyond the route's bounds */
export function refuseUnboundedJson(bytes: Uint8Array, route: Pick<Route, 'bodyDepth' | 'bodyValues'>): void {
  const bounds = jsonBoundsOf(route)
  const exceeded = exceededBound(bytes, bounds)
  if (exceeded === 'depth')
    throw new AppError('validation_failed', `The JSON is nested too deeply: at most ${bounds.depth} levels are read.`)
  if (exceeded === 'values')
    throw new AppError('validation_failed', `The JSON is too large: at most ${bounds.values} values are read.`)
}

/** A route's body out of its bytes. @throws AppError validation_failed when it is no JSON, or beyond the route's bounds */
export function parseJsonBody(bytes: Uint8Array, route: Pick<Route, 'bodyDepth' | 'bodyValues'>): unknown {
  refuseUnboundedJson(bytes, route)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // What the parser says repeats the text that it was given.
    throw new AppError('validation_failed', 'The request couldn’t be read')
  }
}
