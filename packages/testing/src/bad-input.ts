import { defaultBodyLimit, type Route } from '@parley/contracts'
import { z } from 'zod'
import { pathOf } from './api.ts'
import { type JsonSchema, sampleOf } from './sample-body.ts'

/** A call that every server must refuse with a 4xx in the documented shape, changing nothing. */
export interface BadInputCase {
  readonly name: string
  readonly request: {
    readonly method: string
    /** As served, with `/api`. */
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly raw?: string | Buffer
  }
}
/** What the cases need beyond the route. */
export interface BadInputOptions {
  /** Of an existing thing, so that the body is what is judged. */
  readonly params?: Readonly<Record<string, string>>
  /** A good body, where one cannot be made from the schema. */
  readonly body?: unknown
}

const json = { 'content-type': 'application/json' }
const nul = 'a\u0000b'
/** JSON text of a string with half a surrogate pair. */
const loneSurrogate = '"a\\ud800b"'
const megabyte = 'x'.repeat(1024 * 1024)

/**
 * Everything wrong that can be sent to a route, made from its contract.
 * @throws Error when no good body can be made of the schema: then give one
 */
export function badInputCases(route: Route, options: BadInputOptions = {}): readonly BadInputCase[] {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const params = { ...Object.fromEntries(names.map((name) => [name, 'a'.repeat(32)])), ...options.params }
  const path = pathOf(route, { params })
  const bodyCases = route.body === undefined ? bodylessCases(route, path) : wrongBodies(route, path, options.body)
  return [...bodyCases, ...(names.length === 0 ? [] : wrongParams(route, params)), ...wrongQueries(route, path)]
}

const titled = (route: Route, what: string): string => `${route.method} ${route.path}: ${what}`

function bodylessCases(route: Route, path: string): BadInputCase[] {
  if (route.method !== 'GET' && route.method !== 'DELETE') return []
  return [
    {
      name: titled(route, 'a body where none belongs'),
      request: { method: route.method, path, headers: json, raw: '{}' },
    },
  ]
}

function wrongBodies(route: Route, path: string, given: unknown): BadInputCase[] {
  const schema = route.body as z.ZodType
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const good = given ?? goodBody(route, schema, shape)
  const goodText = JSON.stringify(good)
  const of = (
    what: string,
    raw: string | Buffer | undefined,
    headers: Record<string, string> = json,
  ): BadInputCase => ({
    name: titled(route, what),
    request: { method: route.method, path, headers, ...(raw !== undefined && { raw }) },
  })
  const roots = {
    null: 'null',
    'an array': `[${goodText}]`,
    'a string': '"text"',
    'a number': '7',
    'an empty body': '',
  }
  return [
    ...Object.entries(roots).map(([what, raw]) => of(`${what} as the body`, raw)),
    of('no body', undefined, {}),
    of('truncated JSON', goodText.slice(0, -1)),
    of('bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
    of('a wrong content type', goodText, { 'content-type': 'text/plain' }),
    of('a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    of('an unknown charset', goodText, { 'content-type': 'application/json; charset=klingon' }),
    of('an unknown encoding', goodText, { ...json, 'content-encoding': 'klingon' }),
    of('a body over the limit', JSON.stringify('x'.repeat(route.bodyLimit ?? defaultBodyLimit))),
    ...wrongFields(schema, shape, good).map(([what, raw]) => of(what, raw)),
  ]
}

function goodBody(route: Route, schema: z.ZodType, shape: JsonSchema): unknown {
  const least = sampleOf(shape)
  const most = sampleOf(shape, true)
  // Some bodies want one of several optional fields.
  const oneMore = Object.entries(most as object).map(([name, value]) => ({ ...(least as object), [name]: value }))
  const good = [least, most, ...oneMore].find((sample) => schema.safeParse(sample).success)
  if (good === undefined) throw new Error(`${route.method} ${route.path}: give badInputCases a good body`)
  return good
}

/** Every field of the body made wrong in every way; what the schema takes on purpose (null, another type, long text) is left out. */
function wrongFields(schema: z.ZodType, shape: JsonSchema, good: unknown): [string, string][] {
  const body = good as Record<string, unknown>
  const fields = fieldsOf(shape)
  const refused = (entry: [string, string]): boolean => !schema.safeParse(JSON.parse(entry[1])).success
  const put = (name: string, value: string): string => {
    const rest = Object.entries(body).filter(([key]) => key !== name && body[key] !== undefined)
    return `{${[...rest.map(([key, kept]) => `${JSON.stringify(key)}:${JSON.stringify(kept)}`), `${JSON.stringify(name)}:${value}`].join(',')}}`
  }
  const cases = [...fields.keys()].flatMap((name): [string, string][] => [
    [`${name} is null`, put(name, 'null')],
    [`${name} is an operator`, put(name, '{"$ne":null}')],
    [`${name} is another operator`, put(name, '{"$gt":""}')],
    [`${name} is a list`, put(name, '[["a"]]')],
    [`${name} is a number`, put(name, '-7.5e300')],
    [`${name} is text`, put(name, '"\u00a0 no such value"')],
    [`${name} has a NUL`, put(name, JSON.stringify(nul))],
    [`${name} has half a character`, put(name, loneSurrogate)],
    [`${name} has a megabyte`, put(name, JSON.stringify(megabyte))],
  ])
  const missing = Object.keys(body).map((name): [string, string] => [
    `${name} is missing`,
    JSON.stringify({ ...body, [name]: undefined }),
  ])
  const extra: [string, string][] = [
    ['an extra field', put('isAdmin', 'true')],
    ['an extra operator', put('$where', '"1"')],
  ]
  const hostile = hostileText(fields)
  const wrong = cases.filter((entry) => hostile.has(entry[0]) || refused(entry))
  return [...wrong, ...missing.filter(refused), ...extra.filter(refused)]
}

/** Names of the cases that are never good, whatever the schema says: NUL and half characters in a text field. */
function hostileText(fields: ReadonlyMap<string, JsonSchema>): ReadonlySet<string> {
  const texts = [...fields].filter(([, field]) => field.type === 'string').map(([name]) => name)
  return new Set(texts.flatMap((name) => [`${name} has a NUL`, `${name} has half a character`]))
}

function fieldsOf(shape: JsonSchema): Map<string, JsonSchema> {
  const nested = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])]
  return new Map([...nested.flatMap((part) => [...fieldsOf(part)]), ...Object.entries(shape.properties ?? {})])
}

function wrongParams(route: Route, params: Readonly<Record<string, string>>): BadInputCase[] {
  const wrong = {
    NUL: '%00',
    'half a character': '%ED%A0%80',
    'a broken escape': '%E0%A4%A',
    'ten kilobytes': 'x'.repeat(10_000),
    'an operator': '%7B%22%24ne%22%3Anull%7D',
    'a way up': '..%2F..%2Fadmin',
    'a property of every object': '__proto__',
  }
  return Object.entries(wrong).map(([what, value]) => ({
    name: titled(route, `${what} in the path`),
    request: {
      method: route.method,
      path: servedWith(route, params, value),
      headers: route.body === undefined ? {} : json,
      ...(route.body !== undefined && { raw: '{}' }),
    },
  }))
}

/** The path with its last parameter replaced by text that stands as it is. */
function servedWith(route: Route, params: Readonly<Record<string, string>>, value: string): string {
  const last = route.path.lastIndexOf(':')
  const before = { path: route.path.slice(0, last) as Route['path'], access: route.access }
  return pathOf(before, { params }) + value + route.path.slice(last).replace(/^:\w+/, '')
}

function wrongQueries(route: Route, path: string): BadInputCase[] {
  if (route.query === undefined) return []
  const shape = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const schema = route.query
  const values = { NUL: 'a\u0000b', 'too much': 'x'.repeat(10_000), nonsense: '-1e9;drop' }
  return [...fieldsOf(shape).keys()].flatMap((name) => [
    ...Object.entries(values)
      .filter(([, value]) => !schema.safeParse({ [name]: value }).success)
      .map(([what, value]) => queryCase(route, path, `${what} in ?${name}`, `${name}=${encodeURIComponent(value)}`)),
    queryCase(route, path, `?${name} twice`, `${name}=1&${name}=2`),
  ])
}

const queryCase = (route: Route, path: string, what: string, query: string): BadInputCase => ({
  name: titled(route, what),
  request: { method: route.method, path: `${path}?${query}`, headers: {} },
})
