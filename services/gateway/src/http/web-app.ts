import { join } from 'node:path'
import express, { type RequestHandler, Router } from 'express'

const year = 365 * 24 * 60 * 60 * 1000

/** Serves the SPA's build: hashed files for ever, the rest asked for anew, and its page for every path a person may open. */
export function serveWebApp(folder: string): RequestHandler {
  const router = Router()
  router.use('/assets', express.static(join(folder, 'assets'), { immutable: true, maxAge: year, fallthrough: false }))
  router.use(express.static(folder, { index: false, cacheControl: false, setHeaders: askAnew, dotfiles: 'ignore' }))
  router.get('/{*path}', (request, response, next) => {
    if (!request.accepts('html') || /\.\w+$/.test(request.path)) {
      next()
      return
    }
    response.sendFile('index.html', { root: folder, cacheControl: false, headers: { 'cache-control': 'no-cache' } })
  })
  return router
}

const askAnew = (response: { setHeader(name: string, value: string): unknown }): void => {
  response.setHeader('cache-control', 'no-cache')
}
