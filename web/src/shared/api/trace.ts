/** The trace of a call in the server's traces and logs. */
export interface Trace {
  /** The trace id, 32 hexadecimal digits; also used as the request id. */
  readonly id: string
  /** The W3C header. Its flag leaves the sampling decision to the server. */
  readonly traceparent: string
}

/** Starts a trace for one call. Browsers offer `crypto.randomUUID` only over HTTPS. */
export function newTrace(): Trace {
  const digits = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const id = digits.slice(0, 32)
  return { id, traceparent: `00-${id}-${digits.slice(32)}-00` }
}
