/** Values for the examples: the reader's own address, key and models. */
export interface ExampleValues {
  /** Of the API, such as `https://parley.example.org`. */
  readonly origin: string
  readonly apiKey: string
  readonly textModel: string
  readonly imageModel: string
  readonly embeddingModel: string
}

/** Placeholder for a missing key. It must be valid in a header: otherwise clients fail before the server can report the wrong key. */
export const placeholderKey = 'sk-your-key'

export const exampleLanguages = ['curl', 'python', 'node'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]

/** An example's complete program in each language. */
export type Example = (values: ExampleValues) => Readonly<Record<ExampleLanguage, string>>

/** A call of `/api/v1` with curl; `more` are further options with their values. */
export function curl({ origin, apiKey }: ExampleValues, path: string, body?: object, more: readonly string[] = []) {
  const options = [
    `-H "Authorization: Bearer ${apiKey}"`,
    ...more,
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return [`curl ${origin}/api/v1${path}`, ...options.map((option) => `  ${option}`)].join(' \\\n')
}

/** The start of a program with OpenAI's Python client. */
export const openaiPython = ({ origin, apiKey }: ExampleValues) => `from openai import OpenAI

client = OpenAI(
    base_url="${origin}/api/v1",
    api_key="${apiKey}",
)
`

/** The start of a program with OpenAI's Node client. */
export const openaiNode = ({ origin, apiKey }: ExampleValues) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/api/v1',
  apiKey: '${apiKey}',
})
`
