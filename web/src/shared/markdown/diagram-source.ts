/** Maximum UTF-16 units of a diagram; rendering a longer one would block the page. */
const maxLength = 8_000

/** Syntax that could fetch resources, style other elements, or inject HTML into a label: no diagram needs it. */
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
 * A diagram's text without configuration: directives, front matter, links and callbacks. Null when it contains
 * something that must not be rendered at all, or is too long.
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
