import { securityHeaders } from '@parley/gateway/headers'
import { serveWebApp } from '@parley/gateway/web-app'
import { type HttpListener, listen } from '@parley/kit'
import express from 'express'

/** Serves only the built SPA, with the product's headers, like the SPA's container. */
export async function startWebServer(folder: string, publicUrl: string): Promise<HttpListener> {
  const app = express()
  app.disable('x-powered-by')
  app.use(securityHeaders(publicUrl), serveWebApp(folder))
  app.use((_request, response) => {
    response.status(404).type('text').send('Not found')
  })
  return await listen(app, { host: '127.0.0.1', port: 0 })
}
