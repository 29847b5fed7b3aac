/** UTF-16 units of a diagram; drawing a longer one would hold up the page. */
const maxLength = 8_000

/** What would fetch something, style something else, or put HTML into a label: nothing a diagram has to have. */
const refused = [
  /url\s*\(/i,
  /@import/i,
  /@\{[^}]*\b(?:img|icon)\b/i,
  /(?:javascript|vbscript)\s*:/i,
  // An escape can spell any of the above.
  /^\s*(?:style|classDef|linkStyle)\b.*\\/im,
  /<(?!br\s*\/?>)\/?[a-z!?]/i,
]

/**
 * A diagram's text without what configures the one who draws it: directives, front matter, links and callbacks. Null when it holds something
 * that must not be drawn at all, or too much.
 */
export function readDiagram(code: string): string | null {
  if (code.length > maxLength) return null
  const source = code
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*---\s*\n[\s\S]*?\n---\s*(?:\n|$)/, '')
    .replace(/%%\{[\s\S]*?\}%%/g, '')
    .replace(/^\s*(?:click|callback|links?|href)\b.*$/gim, '')
  if (source.includes('%%{') || /^\s*---/.test(source)) return null
  return source.trim() === '' || refused.some((pattern) => pattern.test(source)) ? null : source
}
