import { createServer } from 'node:http'
import { securityHeaders } from '@parley/gateway/headers'
import { serveWebApp } from '@parley/gateway/web-app'
import express from 'express'
import { type LocalServer, listenHttp } from './listen.ts'

/** Serves only the built SPA, with the product's headers, like the SPA's container. */
export async function startWebServer(folder: string, publicUrl: string): Promise<LocalServer> {
  const app = express()
  app.disable('x-powered-by')
  app.use(securityHeaders(publicUrl), serveWebApp(folder))
  app.use((_request, response) => {
    response.status(404).type('text').send('Not found')
  })
  return listenHttp(createServer(app), 0)
}
