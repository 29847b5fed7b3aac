import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorAnswer, newId, unavailable } from '@parley/kit'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { type LocalServer, listenHttp } from './listen.ts'

/** The gateway's paths, including spellings that only the gateway normalises, which the SPA's page must not answer. */
const ofGateway = /^\/+(?:(?:api|socket\.io)(?![\w-])|s\/)/i

/** URLs of the gateway and the SPA's server. */
export interface IngressTargets {
  readonly gatewayUrl: string
  readonly webUrl: string
}

/**
 * A single origin, like a cluster's ingress: `/api`, `/socket.io` and `/s` go to the gateway, everything else to the SPA's server. Bodies are
 * streamed unbuffered. The client's address is appended to X-Forwarded-For.
 */
export async function startIngress({ gatewayUrl, webUrl }: IngressTargets, port: number): Promise<LocalServer> {
  // A connection per request, so that each is balanced, and none is sent to a replica that has stopped.
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
        // Closing one side closes the other.
        connection.once('close', () => outgoing.destroy())
        outgoing.once('upgrade', (_answer, behind) => {
          connection.once('close', () => behind.destroy())
          behind.once('close', () => connection.destroy())
        })
      },
      proxyRes: (answer) => {
        // A hop-by-hop header of the upstream connection.
        delete answer.headers.connection
        delete answer.headers['keep-alive']
      },
      error: (error, request, response) => answerFailure(error, request, response),
    },
  })

function answerFailure(
  error: Error,
  { url = '', headers: asked }: IncomingMessage,
  response: ServerResponse | Socket,
): void {
  if (!('setHeader' in response) || response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const failure = unavailable(error)
  const { headers, body } = errorAnswer(failure, newId(), url, asked)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = failure.status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(body))
}
