import { errorBodySchema, publicRoutes, type Route } from '@parley/contracts'
import type { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'

type Document = ReturnType<typeof createDocument>

/** OpenAPI 3.1 of every public route, made from the schemas that check them. */
export function openApiDocument(routes: readonly Route[] = publicRoutes): Document {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Parley', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        guest: { type: 'apiKey', in: 'header', name: 'x-guest-session-id' },
      },
    },
    paths,
  })
}

const schemesOf: Record<Route['access'], Record<string, string[]>[]> = {
  public: [],
  guest: [{ guest: [] }, { token: [] }],
  user: [{ token: [] }],
  admin: [{ token: [] }],
  service: [],
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const status = String(route.status ?? 200) as '200'
  return {
    summary: route.summary,
    tags: [route.service],
    security: schemesOf[route.access],
    requestParams: {
      ...(route.params === undefined ? {} : { path: route.params as z.ZodObject }),
      ...(route.query === undefined ? {} : { query: route.query as z.ZodObject }),
    },
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
    responses: {
      [status]: { description: route.summary, content: contentOf(route) },
      default: { description: 'An error', content: { 'application/json': { schema: errorBodySchema } } },
    },
  }
}

function contentOf(route: Route): Record<string, { schema?: z.ZodType }> {
  if (route.answer !== undefined) return { 'application/json': { schema: route.answer } }
  return route.stream ? { 'text/event-stream': {} } : {}
}
