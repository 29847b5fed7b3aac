import { defaultBodyLimit, type Route } from '@parley/contracts'
import { z } from 'zod'
import { pathOf } from './api.ts'
import { type JsonSchema, sampleOf } from './sample-body.ts'

/** A request that every server must refuse with a 4xx in the documented shape, without changing data. */
export interface BadInputCase {
  readonly name: string
  readonly request: {
    readonly method: string
    /** The served path, with `/api`. */
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly raw?: string | Buffer
  }
}
export interface BadInputOptions {
  /** Parameters of an existing resource, so that the body decides. */
  readonly params?: Readonly<Record<string, string>>
  /** A valid body, if none can be generated from the schema. */
  readonly body?: unknown
}

const json = { 'content-type': 'application/json' }
const nul = 'a\u0000b'
/** JSON text of a string with a lone surrogate. */
const loneSurrogate = '"a\\ud800b"'
/** JSON text of a string of 1 MB. */
const megabyte = JSON.stringify('x'.repeat(1024 * 1024))

/**
 * Malformed requests to a route, generated from its contract.
 * @throws Error if no valid body can be generated from the schema: then pass one
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
      name: titled(route, 'an unexpected body'),
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
    of('a body over the limit', `"${'x'.repeat(route.bodyLimit ?? defaultBodyLimit)}"`),
    ...wrongFields(route, shape, good).map(([what, raw]) => of(what, raw)),
  ]
}

function goodBody(route: Route, schema: z.ZodType, shape: JsonSchema): unknown {
  const least = sampleOf(shape)
  const most = sampleOf(shape, true)
  // Some bodies require one of several optional fields.
  const oneMore = Object.entries(most as object).map(([name, value]) => ({ ...(least as object), [name]: value }))
  const good = [least, most, ...oneMore].find((sample) => schema.safeParse(sample).success)
  if (good === undefined) throw new Error(`${route.method} ${route.path}: pass a valid body to badInputCases`)
  return good
}

/** A field in the body: its path, its schema, and a function that replaces its value in the body's text. */
interface Slot {
  readonly name: string
  readonly field: JsonSchema
  readonly put: (value: string) => string
}

/** Every field of the body, also nested ones, with every kind of invalid value; values that the schema accepts are skipped. */
function wrongFields(route: Route, shape: JsonSchema, good: unknown): [string, string][] {
  const schema = route.body as z.ZodType
  const body = good as Record<string, unknown>
  const refused = (entry: [string, string]): boolean => !schema.safeParse(JSON.parse(entry[1])).success
  const slots = slotsOf(shape, body, '', (text) => text)
  const cases = slots.flatMap(({ name, field, put }) => {
    const wrong: [string, string][] = [
      [`${name} is null`, put('null')],
      [`${name} is an operator`, put('{"$ne":null}')],
      [`${name} is another operator`, put('{"$gt":""}')],
      [`${name} is a list`, put('[["a"]]')],
      [`${name} is a number`, put('-7.5e300')],
      [`${name} is text`, put('"\u00a0 no such value"')],
      [`${name} has a megabyte`, put(megabyte)],
    ]
    // Never valid in a text, even if the schema accepts it, except in those that programs send to a provider.
    const hostile: [string, string][] = [
      [`${name} has a NUL`, put(JSON.stringify(nul))],
      [`${name} has a lone surrogate`, put(loneSurrogate)],
    ]
    const isOfUsers = field.type === 'string' && route.access !== 'key'
    return [...wrong.filter(refused), ...(isOfUsers ? hostile : hostile.filter(refused))]
  })
  const missing = Object.keys(body).map((name): [string, string] => [
    `${name} is missing`,
    JSON.stringify({ ...body, [name]: undefined }),
  ])
  const extra: [string, string][] = [
    ['an extra field', withField(body, 'isAdmin', 'true')],
    ['an extra operator', withField(body, '$where', '"1"')],
  ]
  return [...cases, ...missing.filter(refused), ...extra.filter(refused)]
}

/** The JSON text of an object with an additional field. */
function withField(object: Readonly<Record<string, unknown>>, name: string, value: string): string {
  const rest = Object.entries(object).filter(([key, kept]) => key !== name && kept !== undefined)
  const fields = rest.map(([key, kept]) => `${JSON.stringify(key)}:${JSON.stringify(kept)}`)
  return `{${[...fields, `${JSON.stringify(name)}:${value}`].join(',')}}`
}

/** The fields of an object, including those of nested objects and arrays. */
function slotsOf(
  shape: JsonSchema,
  good: Readonly<Record<string, unknown>>,
  path: string,
  around: (text: string) => string,
): Slot[] {
  return [...fieldsOf(shape)].flatMap(([key, field]) => {
    const name = path + key
    const put = (value: string): string => around(withField(good, key, value))
    const here: Slot = { name, field, put }
    if (field.properties !== undefined) {
      return [here, ...slotsOf(field, sampleOf(field, true) as Record<string, unknown>, `${name}.`, put)]
    }
    const { items } = field
    if (items === undefined) return [here]
    const inList = (value: string): string => put(`[${value}]`)
    const item: Slot = { name: `${name}[]`, field: items, put: inList }
    const within =
      items.properties === undefined
        ? []
        : slotsOf(items, sampleOf(items, true) as Record<string, unknown>, `${name}[].`, inList)
    return [here, item, ...within]
  })
}

function fieldsOf(shape: JsonSchema): Map<string, JsonSchema> {
  const nested = [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])]
  return new Map([...nested.flatMap((part) => [...fieldsOf(part)]), ...Object.entries(shape.properties ?? {})])
}

function wrongParams(route: Route, params: Readonly<Record<string, string>>): BadInputCase[] {
  const wrong = {
    NUL: '%00',
    'a lone surrogate': '%ED%A0%80',
    'a broken escape': '%E0%A4%A',
    'ten kilobytes': 'x'.repeat(10_000),
    'an operator': '%7B%22%24ne%22%3Anull%7D',
    'path traversal': '..%2F..%2Fadmin',
    'a prototype property': '__proto__',
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

/** The path with its last parameter replaced by raw text. */
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
