import { publicRoutes, type Route } from '@parley/contracts'

/** The match of a path and method: a route, a path without that method, or nothing. */
export type Match = { readonly route: Route } | { readonly allowed: readonly string[] } | undefined

interface Entry {
  readonly route: Route
  readonly segments: readonly string[]
}

/**
 * Finds a route by the exact, still encoded path below `/api`. Case, slashes and dots are significant: any spelling other than the contract's
 * is not a route, so that gateway and services cannot interpret a path differently.
 */
export function createRouteTable(): (method: string, path: string) => Match {
  const byLength = new Map<number, Entry[]>()
  for (const route of publicRoutes) {
    const segments = route.path.split('/')
    const entries = byLength.get(segments.length) ?? []
    entries.push({ route, segments })
    // Fixed segments take precedence over parameters: `/chat/bulk` is not a chat id.
    byLength.set(segments.length, entries.sort(byParameters))
  }
  return (method, path) => {
    const segments = path.split('/')
    const entries = (byLength.get(segments.length) ?? []).filter((entry) => fits(entry.segments, segments))
    if (entries.length === 0) return undefined
    const found = entries.find(({ route }) => methodsOf(route).includes(method))
    return found === undefined ? { allowed: entries.flatMap(({ route }) => methodsOf(route)) } : { route: found.route }
  }
}

/** GET implies HEAD, except for streams, which consist of nothing but their body. */
const methodsOf = ({ method, stream }: Route): string[] => (method === 'GET' && !stream ? ['GET', 'HEAD'] : [method])

const parametersIn = ({ segments }: Entry): number => segments.filter((segment) => segment.startsWith(':')).length
const byParameters = (a: Entry, b: Entry): number => parametersIn(a) - parametersIn(b)

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.every((part, index) => (part.startsWith(':') ? isParameter(segments[index] ?? '') : part === segments[index]))

/** Parameters contain no dot segments or separators, even encoded, and must be decodable. */
function isParameter(segment: string): boolean {
  try {
    const decoded = decodeURIComponent(segment)
    return !/[\\;]/.test(decoded) && decoded.split('/').every((part) => !/^\.{0,2}$/.test(part))
  } catch {
    return false
  }
}
