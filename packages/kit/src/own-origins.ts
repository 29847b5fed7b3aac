/** Whether a page of this origin may change something here: one of the product's own, or of the host that was called. */
export type IsOwnOrigin = (origin: string, host: string | undefined) => boolean

/** The origins under which people reach the product. On one's own machine the two names of the loopback are the same place. */
export function ownOrigins(publicUrl: string): ReadonlySet<string> {
  const { origin, hostname } = new URL(publicUrl)
  const twin = { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }[hostname]
  return new Set(twin === undefined ? [origin] : [origin, origin.replace(hostname, twin)])
}

/** @param publicUrl origin under which people reach the product */
export function createOriginCheck(publicUrl: string): IsOwnOrigin {
  const own = ownOrigins(publicUrl)
  return (origin, host) => own.has(origin) || (host !== undefined && hostOf(origin) === host)
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)
