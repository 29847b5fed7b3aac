import type { Route } from '@parley/contracts'

type Served = Pick<Route, 'path' | 'access'>

/** The path of a service's route: public ones under `/api`, internal ones unchanged. */
export const servedPath = (route: Served): string => (route.access === 'service' ? route.path : `/api${route.path}`)

/** The path of one call of a route. @param params values of its `:name` parts; encoded here */
export const callPath = (route: Served, params: Readonly<Record<string, string>> = {}): string =>
  servedPath(route).replace(/:(\w+)/g, (_part, name: string) => encodeURIComponent(params[name] ?? ''))
