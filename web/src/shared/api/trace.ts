/** A call as the server's traces and logs know it. */
export interface Trace {
  /** 32 hexadecimal digits: the trace's id, which becomes the request's. */
  readonly id: string
  /** The W3C header that hands it on. Whether the trace is kept is the server's to decide: the flag asks for nothing. */
  readonly traceparent: string
}

/** Names one call. */
export function newTrace(): Trace {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const id = digits.slice(0, 32)
  return { id, traceparent: `00-${id}-${digits.slice(32)}-00` }
}
