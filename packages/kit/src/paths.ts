import type { Route } from '@parley/contracts'

type Served = Pick<Route, 'path' | 'access'>

/** Where a service serves a route: public ones under `/api`, internal ones as they stand. */
export const servedPath = (route: Served): string => (route.access === 'service' ? route.path : `/api${route.path}`)

/** The path of one call of a route. @param params what its `:name` parts stand for; encoded here */
export const callPath = (route: Served, params: Readonly<Record<string, string>> = {}): string =>
  servedPath(route).replace(/:(\w+)/g, (_part, name: string) => encodeURIComponent(params[name] ?? ''))
