import { publicRoutes, type Route } from '@parley/contracts'

/** What a path and a method lead to: a route, a path without that method, or nothing. */
export type Match = { readonly route: Route } | { readonly allowed: readonly string[] } | undefined

interface Entry {
  readonly route: Route
  readonly segments: readonly string[]
}

/**
 * Finds a route by the exact, still encoded path below `/api`. Case, slashes and dots count: what is not written as the contract
 * writes it is no route, so that gateway and services can never read a path differently.
 */
export function createRouteTable(routes: readonly Route[] = publicRoutes): (method: string, path: string) => Match {
  const byLength = new Map<number, Entry[]>()
  for (const route of routes) {
    const segments = route.path.split('/')
    const entries = byLength.get(segments.length) ?? []
    entries.push({ route, segments })
    // Fixed words come before parameters: `/chat/bulk` is no chat's id.
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

/** What can be got can be asked for without its body too; a stream is nothing but its body. */
const methodsOf = ({ method, stream }: Route): string[] => (method === 'GET' && !stream ? ['GET', 'HEAD'] : [method])

const parametersIn = ({ segments }: Entry): number => segments.filter((segment) => segment.startsWith(':')).length
const byParameters = (a: Entry, b: Entry): number => parametersIn(a) - parametersIn(b)

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.every((part, index) => (part.startsWith(':') ? isParameter(segments[index] ?? '') : part === segments[index]))

/** Dots and separators in any disguise are not parameters, nor is what cannot be decoded. */
function isParameter(segment: string): boolean {
  try {
    const decoded = decodeURIComponent(segment)
    return !/[\\;]/.test(decoded) && decoded.split('/').every((part) => !/^\.{0,2}$/.test(part))
  } catch {
    return false
  }
}
