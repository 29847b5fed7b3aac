import { chatCompletion, messages, quickStart, responses, streaming, tools } from './conversations.ts'
import type { Example } from './example.ts'
import { credits, embeddings, errors, idempotency, images, limits, models, usage } from './more-calls.ts'

export { type Example, type ExampleLanguage, type ExampleValues, exampleLanguages, placeholderKey } from './example.ts'

/** All examples of `/docs/api`. The end-to-end tests run each of them against the product. */
export const examples = {
  quickStart,
  chatCompletion,
  streaming,
  tools,
  responses,
  embeddings,
  images,
  messages,
  models,
  usage,
  credits,
  limits,
  errors,
  idempotency,
} satisfies Record<string, Example>
export type ExampleName = keyof typeof examples
