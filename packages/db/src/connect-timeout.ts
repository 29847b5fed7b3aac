const defaultSeconds = 2

/** How long a server may take to answer a new connection: `connect_timeout` of its URL, in seconds as libpq means it, else 2 s. Milliseconds. */
export const connectTimeoutMs = (url: string): number =>
  Number(/[?&]connect_timeout=([1-9]\d{0,4})(?:&|$)/.exec(url)?.[1] ?? defaultSeconds) * 1_000
