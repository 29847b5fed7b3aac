const allowed = new Set(['http:', 'https:', 'mailto:'])

/** The URL if it is absolute and its scheme only navigates; empty otherwise. */
export function safeLink(url: string): string {
  return URL.canParse(url) && allowed.has(new URL(url).protocol) ? url : ''
}

/** The foreign host of an image's URL; null for the page's own origin, and for an invalid URL. */
export function foreignHost(url: string, origin: string): string | null {
  if (!URL.canParse(url)) return null
  const target = new URL(url)
  return target.origin === origin ? null : target.host
}
