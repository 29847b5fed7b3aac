const base = 'https://parley.invalid'
const longest = 2_000
const mostDecodings = 5
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so that `/\t/evil.test` would leave the origin.
const unsafe = /[\u0000-\u0020\u007f\\]/

/**
 * Prevents open redirects after signing in: returns a path on this origin, such as `/c/1?x=2#end`, and `/` for anything else, such as `//evil.test`,
 * `/\evil.test`, `/.//evil.test`, `javascript:`, or an encoded form of these.
 */
export function safePath(wanted: string | null | undefined): string {
  if (wanted === null || wanted === undefined || wanted.length > longest || !isLocal(wanted)) return '/'
  try {
    const { origin, pathname, search, hash } = new URL(wanted, base)
    return origin === base && isLocal(pathname) && isLocal(decoded(pathname)) ? `${pathname}${search}${hash}` : '/'
  } catch {
    return '/'
  }
}

const isLocal = (path: string): boolean => path.startsWith('/') && !path.startsWith('//') && !unsafe.test(path)

/** Decodes repeatedly. @throws URIError for malformed percent-encoding or too many levels */
function decoded(path: string): string {
  let text = path
  for (let times = 0; times < mostDecodings; times += 1) {
    const next = decodeURIComponent(text)
    if (next === text) return text
    text = next
  }
  throw new URIError('Encoded too many times')
}
