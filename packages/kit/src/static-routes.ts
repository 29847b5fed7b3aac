import type { IRouter, RequestHandler } from 'express'

/** Routes of one router whose path has no parameters, by method and path. */
type StaticRoutes = Map<string, { readonly path: string; readonly handlers: readonly RequestHandler[] }>

const ofRouters = new WeakMap<IRouter, StaticRoutes>()

/**
 * Lets a router find a route by its method and path, where the path has no parameters: Express holds a request against one route after the other. What is written in
 * another way, such as with a slash at its end, goes that way as ever.
 * @param method in capitals
 */
export function addStaticRoute(
  router: IRouter,
  method: string,
  path: string,
  handlers: readonly RequestHandler[],
): void {
  if (/[:*{]/.test(path)) return
  routesOf(router).set(`${method} ${path}`, { path, handlers })
}

function routesOf(router: IRouter): StaticRoutes {
  const known = ofRouters.get(router)
  if (known !== undefined) return known
  const routes: StaticRoutes = new Map()
  ofRouters.set(router, routes)
  router.use((request, response, next) => {
    const found = routes.get(`${request.method} ${request.path}`)
    if (found === undefined) return next()
    // As Express leaves it, for the metrics.
    request.route = found
    runInTurn(found.handlers, request, response, next)
  })
  return routes
}

/** Runs each handler when the one before it is done, as Express does. */
function runInTurn(
  handlers: readonly RequestHandler[],
  ...[request, response, next]: Parameters<RequestHandler>
): void {
  const run = (nth: number): void => {
    const goOn = (error?: unknown): void => {
      if (error !== undefined && error !== null) next(error)
      else if (nth + 1 < handlers.length) run(nth + 1)
      else next()
    }
    try {
      const running: unknown = handlers[nth]?.(request, response, goOn)
      if (running instanceof Promise) running.catch(next)
    } catch (error) {
      next(error)
    }
  }
  run(0)
}
