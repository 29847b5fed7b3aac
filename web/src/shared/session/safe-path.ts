const base = 'https://parley.invalid'

const decodeFully = (value: string): string => {
  let current = value
  for (let round = 0; round < 5; round++) {
    const next = decodeURIComponent(current)
    if (next === current) return current
    current = next
  }
  throw new URIError('Encoded too many times')
}

const looksLocal = (path: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop them, so "/\t/evil" would lead away
  /^\/(?!\/)/.test(path) && !/[\\\u0000-\u001f\u007f]/.test(path)

/**
 * A path to go to after signing in, or `/` when it could lead to another origin: foreign and scheme-relative addresses, backslashes,
 * control characters, also behind any depth of percent encoding.
 */
export function safePath(wanted: string | null): string {
  if (wanted === null || wanted.length > 2000 || !looksLocal(wanted)) return '/'
  try {
    if (!looksLocal(decodeFully(wanted.split(/[?#]/)[0] ?? ''))) return '/'
    const url = new URL(wanted, base)
    return url.origin === base && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}${url.hash}` : '/'
  } catch {
    return '/'
  }
}
