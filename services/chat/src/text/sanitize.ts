/** A text as every store takes it: NUL and half characters become the replacement character. */
export const sanitizedText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** A JSON value whose texts every store takes. It must not be deeper than a few hundred levels. */
export function sanitizedJson(value: unknown): unknown {
  if (typeof value === 'string') return sanitizedText(value)
  if (Array.isArray(value)) return value.map(sanitizedJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [sanitizedText(key), sanitizedJson(each)]))
}

/** At most so many UTF-16 units of a text, with an ellipsis for what was left out. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
