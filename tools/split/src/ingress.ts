import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorAnswer, type HttpListener, listen, newId, unavailable } from '@parley/kit'
import express from 'express'
import { createProxyMiddleware } from 'http-proxy-middleware'

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
export async function startIngress({ gatewayUrl, webUrl }: IngressTargets, port: number): Promise<HttpListener> {
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
  const address = { host: '127.0.0.1', port }
  return await listen(app, address, {
    takes: ({ url = '', headers }) => ofGateway.test(url) && headers.upgrade?.toLowerCase() === 'websocket',
    handle(request, connection, head) {
      addCaller(request)
      toGateway.upgrade(request, connection as Socket, head)
    },
  })
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
