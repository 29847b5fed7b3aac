import {
  apiErrorSchema,
  apiRoutes,
  errorBodySchema,
  isApiRoute,
  messagesErrorSchema,
  publicRoutes,
  type Route,
} from '@parley/contracts'
import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'

type Document = ReturnType<typeof createDocument>

/** The scope of a document: every public route, or only those for programs with an API key. */
export type OpenApiScope = 'everything' | 'programs'

/** The OpenAPI 3.1 document of public routes, generated from their validation schemas; `origin` is the server's URL. */
export function openApiDocument(scope: OpenApiScope, origin: string): Document {
  const routes = scope === 'programs' ? publicRoutes.filter(isApiRoute) : publicRoutes
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    const path = `/api${route.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: scope === 'programs' ? 'Parley API' : 'Parley',
      version: '1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    tags: [...new Set(routes.map(({ service }) => service))].map((name) => ({ name })),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        key: { type: 'http', scheme: 'bearer', description: 'An API key, `sk-…`' },
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
  key: [{ key: [] }],
  service: [],
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const status = String(route.status ?? 200) as '200'
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    tags: [route.service],
    security: schemesOf[route.access],
    requestParams: {
      ...(route.params === undefined ? {} : { path: route.params as z.ZodObject }),
      ...(route.query === undefined ? {} : { query: route.query as z.ZodObject }),
      ...(isApiRoute(route) && route.method === 'POST' ? { header: programRequestHeaders } : {}),
    },
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: !route.bodyOptional, content: { 'application/json': { schema: route.body } } } }),
    responses: {
      [status]: {
        description: route.summary,
        ...(isApiRoute(route) ? { headers: programAnswerHeaders } : {}),
        content: contentOf(route),
      },
      default: { description: 'An error', content: { 'application/json': { schema: errorSchemaOf(route) } } },
    },
  }
}

/** The name that client generators use for a call: its method and path, such as `postV1ChatCompletions`. */
function operationIdOf({ method, path }: Route): string {
  const words = path.split(/\W+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

const programRequestHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({ description: 'The same key and body are answered once and charged once, for 24 hours' }),
})

const limit = (of: 'requests' | 'tokens') => ({
  [`x-ratelimit-limit-${of}`]: z.int().optional(),
  [`x-ratelimit-remaining-${of}`]: z.int().optional(),
  [`x-ratelimit-reset-${of}`]: z
    .string()
    .optional()
    .meta({ description: 'Seconds until it is whole again, such as `42s`' }),
})
const programAnswerHeaders = z.object({
  'x-request-id': z.string(),
  'request-id': z.string().meta({ description: 'The same, where Anthropic’s clients look for it' }),
  ...limit('requests'),
  ...limit('tokens'),
  'x-generation-id': z.string().optional().meta({ description: 'Finds the receipt of what was paid' }),
  'x-credits-charged': z.int().optional().meta({ description: 'Of JSON answers' }),
  'x-credits-remaining': z.int().optional().meta({ description: 'Of JSON answers' }),
})

function errorSchemaOf(route: Route): z.ZodType {
  if (route.path === apiRoutes.messages.path) return messagesErrorSchema
  if (route.path.startsWith(apiRoutes.models.path)) return z.union([apiErrorSchema, messagesErrorSchema])
  return route.access === 'key' ? apiErrorSchema : errorBodySchema
}

function contentOf(route: Route): Record<string, { schema?: z.ZodType }> {
  const isList = 'format' in ((route.query as z.ZodObject | undefined)?.shape ?? {})
  if (route.answer !== undefined)
    return { 'application/json': { schema: route.answer }, ...(isList && { 'text/csv': {} }) }
  if (!route.stream) return {}
  if (!isApiRoute(route)) return { 'text/event-stream': {} }
  const streams = 'stream' in (route.body as z.ZodObject).shape
  return { 'application/json': {}, ...(streams && { 'text/event-stream': {} }) }
}
