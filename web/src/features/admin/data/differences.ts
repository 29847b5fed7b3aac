/** A field that differs between two states; both values for display. */
export interface Difference {
  readonly path: string
  readonly before: string
  readonly after: string
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The differences between two states by field; nested fields have paths such as `rateLimits.web`. `skip` lists paths to ignore. */
export function differencesOf(
  before: unknown,
  after: unknown,
  skip: ReadonlySet<string> = new Set(),
  path = '',
): Difference[] {
  if (skip.has(path)) return []
  if (isRecord(before) || isRecord(after)) {
    const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) =>
      differencesOf(old[key], now[key], skip, path === '' ? key : `${path}.${key}`),
    )
  }
  return shown(before) === shown(after) ? [] : [{ path, before: shown(before), after: shown(after) }]
}
