import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, newId, unavailable } from '@parley/kit'
import express, { type RequestHandler } from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { type LocalServer, listenHttp } from './listen.ts'

/** Paths that are the gateway's, also written so that only it would understand them; the SPA's page must not answer those. */
const api = /^\/+api(?![\w-])/i

/** Where the two halves of the product are. */
export interface FrontDoorTargets {
  readonly gatewayUrl: string
  readonly webUrl: string
}

/**
 * One origin for both, as a cluster's ingress is: `/api` goes to the gateway, everything else to the SPA's server. Bytes are passed on as
 * they come. The caller's address is added to what X-Forwarded-For already says.
 */
export function startFrontDoor({ gatewayUrl, webUrl }: FrontDoorTargets, port: number): Promise<LocalServer> {
  // A connection for each request, so that each is balanced anew and none waits on a replica that has gone.
  const agent = new Agent({ keepAlive: false })
  const toGateway = proxyTo(gatewayUrl, agent)
  const toWeb = proxyTo(webUrl, agent)
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response, next) => {
    const { remoteAddress = '' } = request.socket
    const before = request.headers['x-forwarded-for']
    request.headers['x-forwarded-for'] = before === undefined ? remoteAddress : `${before}, ${remoteAddress}`
    const proxy = api.test(request.url) ? toGateway : toWeb
    return proxy(request, response, next)
  })
  const server = createServer({ noDelay: true, keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024 }, app)
  return listenHttp(server, port)
}

const proxyTo = (target: string, agent: Agent): RequestHandler =>
  createProxyMiddleware<IncomingMessage, ServerResponse>({
    target,
    agent,
    on: {
      proxyRes: (answer) => {
        // Said of the connection behind this door; the one before it goes on.
        delete answer.headers.connection
        delete answer.headers['keep-alive']
      },
      error: (error, _request, response) => answerFailure(error, response),
    },
  })

function answerFailure(error: Error, response: ServerResponse | Socket): void {
  if (!('setHeader' in response) || response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const failure = unavailable(error)
  for (const [name, value] of Object.entries(failure.headers)) response.setHeader(name, value)
  response.statusCode = failure.status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(errorBody(failure, newId())))
}
