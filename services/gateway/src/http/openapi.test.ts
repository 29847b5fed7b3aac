import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type OpenApiScope, openApiDocument } from './openapi.ts'

const schema = z.record(z.string(), z.unknown())
const content = z.record(z.string().regex(/^[a-z]+\/[a-z-]+$/), z.strictObject({ schema: schema.optional() }))
const parameter = z.strictObject({
  in: z.enum(['path', 'query', 'header']),
  name: z.string().min(1),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema,
})
const answer = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.looseObject({ schema })).optional(),
  content: content.optional(),
})
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z]\w+$/),
  summary: z.string().min(1),
  tags: z.array(z.string()).length(1),
  security: z.array(z.partialRecord(z.enum(['token', 'key', 'guest']), z.array(z.never()))),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^(2\d\d|default)$/), answer),
})
/** The parts of OpenAPI 3.1 that the documents use. */
const documentSchema = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })).min(1),
  tags: z.array(z.strictObject({ name: z.string() })),
  components: z.strictObject({ securitySchemes: z.record(z.string(), schema), schemas: schema.optional() }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
})

const scopes: readonly OpenApiScope[] = ['everything', 'programs']
const read = (scope: OpenApiScope) => JSON.parse(JSON.stringify(openApiDocument(scope, 'https://parley.test')))

/** All schemas of a document, by JSON pointer. */
function* schemasOf(value: unknown, pointer: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (name === 'schema') yield at
    else yield* schemasOf(inner, at)
  }
}

describe.each(scopes)('the OpenAPI document of %s', (scope) => {
  const document = documentSchema.parse(read(scope))
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((one) => ({ path, ...one })),
  )

  it('has operations with unique ids, listed tags, and parameters that match their paths', () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    expect(document.tags.map(({ name }) => name).sort()).toEqual(
      [...new Set(operations.flatMap(({ tags }) => tags))].sort(),
    )
    for (const { path, operationId, parameters = [] } of operations) {
      const named = parameters.filter((one) => one.in === 'path')
      expect(named.map(({ name }) => name).sort(), operationId).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      )
      expect(
        named.every(({ required }) => required),
        operationId,
      ).toBe(true)
    }
  })

  it('has schemas that a JSON Schema 2020-12 validator accepts, with resolvable references', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false })
    addFormats.default(ajv)
    // Registers the document's other keywords, so that references can start at its root.
    for (const word of Object.keys(document)) ajv.addKeyword(word)
    ajv.addSchema(document, 'https://parley.test/openapi.json')
    const schemas = [...schemasOf(document, '#')]
    expect(schemas.length).toBeGreaterThan(operations.length)
    for (const at of schemas) {
      expect(() => ajv.compile({ $ref: `https://parley.test/openapi.json${encodeURI(at)}` }), at).not.toThrow()
    }
  })
})

it.each([
  ['post', '/api/chat', '200', ['application/json', 'text/event-stream'], ['Idempotency-Key']],
  ['get', '/api/chat/stream/{id}', '200', ['text/event-stream'], ['id', 'Last-Event-ID']],
  ['post', '/api/chat/import', '200', ['application/json', 'text/event-stream'], ['chatIds']],
  ['get', '/api/chat/history/{id}/export', '200', ['application/json', 'text/markdown'], ['id', 'format']],
  ['post', '/api/chat/files', '201', ['application/json'], ['x-file-name']],
  [
    'get',
    '/api/chat/files/{id}',
    '200',
    ['application/pdf', 'image/gif', 'image/jpeg', 'image/png', 'image/webp'],
    ['id', 'size'],
  ],
  ['post', '/api/memory', '200', ['application/json'], []],
  ['post', '/api/memory', '201', ['application/json'], []],
  ['post', '/api/share', '200', ['application/json'], []],
  ['post', '/api/share', '201', ['application/json'], []],
  ['post', '/api/chat/image', '200', ['application/json'], ['Idempotency-Key']],
  [
    'get',
    '/api/share/{id}/images/{imageId}',
    '200',
    ['image/gif', 'image/jpeg', 'image/png', 'image/webp'],
    ['id', 'imageId'],
  ],
  ['get', '/api/share/{id}', '200', ['application/json'], ['id', 'x-share-password']],
  ['post', '/api/user/data-export/{id}', '200', ['application/zip'], ['id']],
  ['get', '/api/admin/users', '200', ['application/json', 'text/csv'], []],
] as const)(
  'the OpenAPI documents describe %s %s with the media types of its answers and its parameters',
  (method, path, status, types, parameters) => {
    const described = documentSchema.parse(read('everything')).paths[path]?.[method]
    expect(Object.keys(described?.responses[status]?.content ?? {}).sort()).toEqual(types)
    expect(described?.parameters?.map(({ name }) => name) ?? []).toEqual(expect.arrayContaining([...parameters]))
  },
)

it('the OpenAPI documents describe an upload as bytes', () => {
  const upload = documentSchema.parse(read('everything')).paths['/api/chat/files']?.post
  expect(upload?.requestBody).toEqual({ required: true, content: { 'application/octet-stream': {} } })
})

it('the OpenAPI documents describe a chat completion as JSON or a stream, with its API key, its limits and its Idempotency-Key', () => {
  const completion = documentSchema.parse(read('programs')).paths['/api/v1/chat/completions']?.post
  expect(completion?.security).toEqual([{ key: [] }])
  expect(completion?.parameters).toMatchObject([{ in: 'header', name: 'Idempotency-Key' }])
  expect(completion?.responses['200']).toMatchObject({
    headers: { 'x-ratelimit-remaining-requests': {}, 'x-credits-charged': {} },
    content: { 'application/json': {}, 'text/event-stream': {} },
  })
})
