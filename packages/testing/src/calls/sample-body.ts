/** The subset of JSON Schema (draft 2020-12) that zod generates. */
export interface JsonSchema {
  /** Several for nullable values. */
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
}

const words = [
  'abcdef',
  'a',
  '123456',
  'someone@example.org',
  'https://example.org/v1',
  '2030-01-01T12:00:00.000Z',
  'correct horse battery',
  'a'.repeat(32),
  'a'.repeat(64),
  '',
]

/** A value that is valid by its JSON Schema; without optional fields unless `all`. */
export function sampleOf(schema: JsonSchema, all = false): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0]
  if (choice !== undefined) return sampleOf(choice, all)
  const { type } = schema
  switch (typeof type === 'object' ? type[0] : type) {
    case 'string':
      return sampleText(schema)
    case 'number':
    case 'integer':
      return Math.max(schema.minimum ?? 1, Math.min(1, Number.MAX_SAFE_INTEGER))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, all ? 1 : 0) }, () =>
        sampleOf(schema.items ?? {}, all),
      )
    default:
      return sampleObject(schema, all)
  }
}

function sampleObject(schema: JsonSchema, all: boolean): Record<string, unknown> {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => all || required.has(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, all)]))
}

function sampleText(schema: JsonSchema): string {
  const pattern = new RegExp(schema.pattern ?? '', 'u')
  const fits = (word: string): boolean =>
    word.length >= (schema.minLength ?? 0) && word.length <= (schema.maxLength ?? 1e6) && pattern.test(word)
  return words.find(fits) ?? 'abcdef'
}
