const origin = 'http://parley.invalid'
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them out of addresses, which makes others of them.
const unsafe = /[\u0000-\u0020\u007f\\]/
const longest = 2_000

/**
 * A path of our own origin to go to after signing in, such as `/c/1?x=2#end`; `/` for everything else, however it is written:
 * `//evil.test`, `/\evil.test`, `/.//evil.test`, `javascript:`, and what becomes one of them once it is decoded.
 */
export function safeReturnTo(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > longest) return '/'
  const url = URL.parse(wanted, origin)
  if (url === null || url.origin !== origin || url.username !== '') return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  return isPath(wanted) && isPath(path) && isPath(decoded(url.pathname)) ? path : '/'
}

const isPath = (text: string): boolean => text.startsWith('/') && !text.startsWith('//') && !unsafe.test(text)

/** As often as somebody on the way might decode it; empty when it cannot be. */
function decoded(path: string): string {
  let text = path
  try {
    for (let times = 0; times < 3; times += 1) text = decodeURIComponent(text)
    return text
  } catch {
    return ''
  }
}
