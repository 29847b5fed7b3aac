import {
  apiErrorSchema,
  apiRoutes,
  errorBodySchema,
  idempotencyHeader,
  isApiRoute,
  listFormat,
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
  const statuses = [String(route.status ?? 200), ...(route.mayExist ? ['200'] : [])]
  const answer = {
    description: route.summary,
    ...(isApiRoute(route) ? { headers: programAnswerHeaders } : {}),
    content: contentOf(route),
  }
  const header = isApiRoute(route) && route.method === 'POST' ? idempotencyHeader : route.headers
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    tags: [route.service],
    security: schemesOf[route.access],
    requestParams: {
      ...(route.params === undefined ? {} : { path: route.params as z.ZodObject }),
      ...(route.query === undefined ? {} : { query: route.query as z.ZodObject }),
      ...(header === undefined ? {} : { header }),
    },
    ...bodyOf(route),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, answer])),
      default: { description: 'An error', content: { 'application/json': { schema: errorSchemaOf(route) } } },
    },
  }
}

function bodyOf(route: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (route.takesBytes) return { requestBody: { required: true, content: { 'application/octet-stream': {} } } }
  if (route.body === undefined) return {}
  return { requestBody: { required: !route.bodyOptional, content: { 'application/json': { schema: route.body } } } }
}

/** The name that client generators use for a call: its method and path, such as `postV1ChatCompletions`. */
function operationIdOf({ method, path }: Route): string {
  const words = path.split(/\W+/).filter((word) => word !== '')
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

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
  if (route.path.startsWith(apiRoutes.messages.path)) return messagesErrorSchema
  if (route.path.startsWith(apiRoutes.models.path)) return z.union([apiErrorSchema, messagesErrorSchema])
  return route.access === 'key' ? apiErrorSchema : errorBodySchema
}

function contentOf(route: Route): Record<string, { schema?: z.ZodType }> {
  if (route.answer === undefined && isApiRoute(route) && route.stream) {
    const streams = 'stream' in (route.body as z.ZodObject).shape
    return { 'application/json': {}, ...(streams && { 'text/event-stream': {} }) }
  }
  return {
    ...(route.answer !== undefined && { 'application/json': { schema: route.answer } }),
    ...Object.fromEntries(otherTypesOf(route).map((type) => [type, {}])),
  }
}

/** The media types of an answer besides that of its schema. */
function otherTypesOf({ types, query, answer, stream }: Route): readonly string[] {
  if (types !== undefined) return types
  if (answer === undefined) return stream ? ['text/event-stream'] : []
  return (query as z.ZodObject | undefined)?.shape.format === listFormat.format ? ['text/csv'] : []
}
