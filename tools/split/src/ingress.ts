import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorBody, newId, unavailable } from '@parley/kit'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { type LocalServer, listenHttp } from './listen.ts'

/** Paths that are the gateway's, also written so that only it would understand them; the SPA's page must not answer those. */
const ofGateway = /^\/+(?:(?:api|socket\.io)(?![\w-])|s\/)/i

/** Where the two halves of the product are. */
export interface IngressTargets {
  readonly gatewayUrl: string
  readonly webUrl: string
}

/**
 * One origin for both, as a cluster's ingress is: `/api`, `/socket.io` and `/s` go to the gateway, everything else to the SPA's server. Bytes are passed on as
 * they come. The caller's address is added to what X-Forwarded-For already says.
 */
export async function startIngress({ gatewayUrl, webUrl }: IngressTargets, port: number): Promise<LocalServer> {
  // A connection for each request, so that each is balanced anew and none waits on a replica that has gone.
  const agent = new Agent({ keepAlive: false })
  const toGateway = proxyTo(gatewayUrl, agent)
  const toWeb = proxyTo(webUrl, agent)
  const app = express()
  app.disable('x-powered-by')
  app.use((request, response, next) => {
    addCaller(request)
    const proxy = ofGateway.test(request.url) ? toGateway : toWeb
    return proxy(request, response, next)
  })
  const shouldUpgradeCallback = ({ url = '', headers }: IncomingMessage): boolean =>
    ofGateway.test(url) && headers.upgrade?.toLowerCase() === 'websocket'
  const options = { noDelay: true, keepAliveTimeout: 75_000, maxHeaderSize: 32 * 1024, shouldUpgradeCallback }
  const server = createServer(options, app)
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, connection, head) => {
    connection.on('error', () => connection.destroy())
    upgraded.add(connection)
    connection.once('close', () => upgraded.delete(connection))
    addCaller(request)
    toGateway.upgrade(request, connection as Socket, head)
  })
  const listening = await listenHttp(server, port)
  return {
    url: listening.url,
    close() {
      for (const connection of upgraded) connection.destroy()
      return listening.close()
    },
  }
}

function addCaller({ headers, socket }: IncomingMessage): void {
  const { remoteAddress = '' } = socket
  const before = headers['x-forwarded-for']
  headers['x-forwarded-for'] = before === undefined ? remoteAddress : `${before}, ${remoteAddress}`
}

const proxyTo = (target: string, agent: Agent) =>
  createProxyMiddleware<IncomingMessage, ServerResponse>({
    target,
    agent,
    on: {
      proxyReqWs: (outgoing, _request, connection) => {
        // A side that goes away takes the other one along.
        connection.once('close', () => outgoing.destroy())
        outgoing.once('upgrade', (_answer, behind) => {
          connection.once('close', () => behind.destroy())
          behind.once('close', () => connection.destroy())
        })
      },
      proxyRes: (answer) => {
        // Said of the connection to what is behind; the one before it goes on.
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
