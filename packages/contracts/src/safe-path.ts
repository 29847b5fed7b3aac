const base = 'https://parley.invalid'
const longest = 2_000
const mostDecodings = 5
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so that `/\t/evil.test` would lead away.
const unsafe = /[\u0000-\u0020\u007f\\]/

/**
 * The path of our own origin to go to after signing in, such as `/c/1?x=2#end`; `/` for everything else, however it is written: `//evil.test`,
 * `/\evil.test`, `/.//evil.test`, `javascript:`, and what becomes one of them once it is decoded.
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

/** As often as it can be. @throws URIError for what is no percent-encoding or was encoded too many times */
function decoded(path: string): string {
  let text = path
  for (let times = 0; times < mostDecodings; times += 1) {
    const next = decodeURIComponent(text)
    if (next === text) return text
    text = next
  }
  throw new URIError('Encoded too many times')
}
