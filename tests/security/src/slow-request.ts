import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request that sends only its beginning. */
export type SlowRequest = Awaited<ReturnType<typeof beginSlowRequest>>

/** The request's headers, and the pace of its body. */
export interface SlowRequestOptions {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The declared length; undefined for a chunked body. */
  readonly length?: number
  /** Bytes of the body sent per second until it stalls; 0 by default. */
  readonly bytesPerSecond?: number
}

/** Starts a request. Resolves once its beginning has been sent. */
export async function beginSlowRequest(url: string, options: SlowRequestOptions) {
  const { hostname, port, host } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part)).on('error', () => undefined)
  const answer = once(socket, 'close').then(() => Buffer.concat(parts).toString())
  const { length } = options
  const isChunked = length === undefined
  const size = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
  const head = Object.entries({ host, ...size, ...options.headers }).map(([name, value]) => `${name}: ${value}`)
  const begin = '{"a":'
  const body = isChunked ? `${begin.length}\r\n${begin}\r\n` : begin
  const text = [`${options.method} ${options.path} HTTP/1.1`, ...head, '', body].join('\r\n')
  await new Promise((resolve) => socket.write(text, resolve))
  const { bytesPerSecond = 0 } = options
  const trickle = setInterval(() => socket.write(Buffer.alloc(bytesPerSecond, ' ')), 1_000)
  if (bytesPerSecond === 0) clearInterval(trickle)
  socket.once('close', () => clearInterval(trickle))
  return {
    /** The raw response, once the connection is closed. */
    answer,
    /** False once the connection is closed. */
    isOpen: (): boolean => !socket.destroyed,
    /** Stops sending. */
    stall: (): void => clearInterval(trickle),
    leave: (): void => void socket.destroy(),
  }
}

/** Parses the status and JSON body of a raw response. */
export function readRawAnswer(text: string): { readonly status: number; readonly body: unknown } {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
  const json = /\{.*\}/s.exec(text.slice(text.indexOf('\r\n\r\n')))?.[0]
  return { status: Number(status), body: json === undefined ? undefined : JSON.parse(json) }
}
