import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request of which only the beginning comes. */
export interface SlowRequest {
  /** Everything that came back until the connection was closed. */
  readonly answer: Promise<string>
  /** False once the connection was closed. */
  isOpen(): boolean
  /** Nothing more comes. */
  stall(): void
  leave(): void
}

/** What the request says of itself, and how little of its body comes. */
export interface SlowRequestOptions {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Bytes that are announced; undefined for a body in chunks, which says nothing of its length. */
  readonly length?: number
  /** Bytes of the body that come each second until it stalls; none unless told. */
  readonly bytesPerSecond?: number
}

/** Begins one. Resolves when the beginning was sent. */
export async function beginSlowRequest(url: string, options: SlowRequestOptions): Promise<SlowRequest> {
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
    answer,
    isOpen: () => !socket.destroyed,
    stall: () => clearInterval(trickle),
    leave: () => void socket.destroy(),
  }
}

/** Status and JSON body of a raw answer. */
export function readRawAnswer(text: string): { readonly status: number; readonly body: unknown } {
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
  const json = /\{.*\}/s.exec(text.slice(text.indexOf('\r\n\r\n')))?.[0]
  return { status: Number(status), body: json === undefined ? undefined : JSON.parse(json) }
}
