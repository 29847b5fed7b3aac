/** What the examples are filled with: the reader's own address, key and models. */
export interface ExampleValues {
  /** Of the API, such as `https://parley.example.org`. */
  readonly origin: string
  readonly apiKey: string
  readonly textModel: string
  readonly imageModel: string
  readonly embeddingModel: string
}

/** Stands for a key that is not there yet. Clients fail on what no header can carry, before the server can say what is wrong. */
export const placeholderKey = 'sk-your-key'

/** The languages in which each example stands. */
export const exampleLanguages = ['curl', 'python', 'node'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]

/** The whole program of an example in each language. */
export type Example = (values: ExampleValues) => Readonly<Record<ExampleLanguage, string>>

/** A call of `/api/v1` by curl; `more` are further options, each with its value. */
export function curl({ origin, apiKey }: ExampleValues, path: string, body?: object, more: readonly string[] = []) {
  const options = [
    `-H "Authorization: Bearer ${apiKey}"`,
    ...more,
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return [`curl ${origin}/api/v1${path}`, ...options.map((option) => `  ${option}`)].join(' \\\n')
}

/** The beginning of a program with the client of OpenAI for Python. */
export const openaiPython = ({ origin, apiKey }: ExampleValues) => `from openai import OpenAI

client = OpenAI(
    base_url="${origin}/api/v1",
    api_key="${apiKey}",
)
`

/** The beginning of a program with the client of OpenAI for Node. */
export const openaiNode = ({ origin, apiKey }: ExampleValues) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/api/v1',
  apiKey: '${apiKey}',
})
`
