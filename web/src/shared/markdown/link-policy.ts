const allowed = new Set(['http:', 'https:', 'mailto:'])

/** The address itself when it is absolute and of a scheme that only leads somewhere; empty otherwise. */
export function safeLink(url: string): string {
  return URL.canParse(url) && allowed.has(new URL(url).protocol) ? url : ''
}

/** Where an image would be fetched from: null when it is this very origin (or no address), else the foreign host. */
export function foreignHost(url: string, origin: string): string | null {
  if (!URL.canParse(url)) return null
  const target = new URL(url)
  return target.origin === origin ? null : target.host
}
