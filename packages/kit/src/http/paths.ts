import type { Route } from '@parley/contracts'

type Served = Pick<Route, 'path' | 'access'>

/** The path of a service's route: public ones under `/api`, internal ones unchanged. */
export const servedPath = (route: Served): string => (route.access === 'service' ? route.path : `/api${route.path}`)

/** What a call puts into the path of its route. */
export interface PathParts {
  /** Values of its `:name` parts; encoded here. */
  readonly params?: Readonly<Record<string, string>>
  /** Those that are undefined are left out. */
  readonly query?: Readonly<Record<string, unknown>>
}

/** The path of one call of a route. */
export function callPath(route: Served, { params = {}, query = {} }: PathParts = {}): string {
  const path = servedPath(route).replace(/:(\w+)/g, (_part, name: string) => encodeURIComponent(params[name] ?? ''))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return given.length === 0 ? path : `${path}?${text}`
}
