import type { ExampleName } from './examples/index.ts'

/** The sections of the page in order, by group. */
export const contents = [
  { group: 'start', sections: ['overview', 'keys', 'authentication', 'quickStart', 'endpoints'] },
  {
    group: 'calls',
    sections: [
      'chatCompletion',
      'streaming',
      'tools',
      'responses',
      'embeddings',
      'images',
      'messages',
      'models',
      'usage',
      'credits',
    ],
  },
  {
    group: 'rules',
    sections: ['limits', 'errors', 'idempotency', 'tryIt', 'troubleshooting', 'changelog'],
  },
] as const

export type SectionName = (typeof contents)[number]['sections'][number]

export const sectionNames: readonly SectionName[] = contents.flatMap(({ sections }) => [...sections])

/** Sections that consist of a text and an example of the same name. */
export const plainSections = [
  ...(['chatCompletion', 'streaming', 'tools', 'responses', 'embeddings', 'images', 'messages', 'models'] as const),
  'usage',
] as const satisfies readonly (SectionName & ExampleName)[]

/** The calls of `/v1`, named as in the contract, with which a test compares them. */
export const calls = {
  chatCompletions: { method: 'POST', path: '/chat/completions' },
  responses: { method: 'POST', path: '/responses' },
  responseTokens: { method: 'POST', path: '/responses/input_tokens' },
  storedResponse: { method: 'GET', path: '/responses/:id' },
  removeResponse: { method: 'DELETE', path: '/responses/:id' },
  cancelResponse: { method: 'POST', path: '/responses/:id/cancel' },
  responseInput: { method: 'GET', path: '/responses/:id/input_items' },
  messages: { method: 'POST', path: '/messages' },
  countTokens: { method: 'POST', path: '/messages/count_tokens' },
  embeddings: { method: 'POST', path: '/embeddings' },
  images: { method: 'POST', path: '/images/generations' },
  models: { method: 'GET', path: '/models' },
  model: { method: 'GET', path: '/models/:id' },
  usage: { method: 'GET', path: '/usage' },
} as const
export type CallName = keyof typeof calls
export const callNames = Object.keys(calls) as CallName[]

/** The errors of the API by code in OpenAI's format, with their status. */
export const programErrors = {
  invalid_request_error: 400,
  invalid_api_key: 401,
  insufficient_quota: 402,
  account_banned: 403,
  model_locked: 403,
  model_not_found: 404,
  unknown_url: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media: 415,
  rate_limit_exceeded: 429,
  provider_error: 502,
  unavailable: 503,
  provider_timeout: 504,
} as const
export type ProgramError = keyof typeof programErrors
export const programErrorCodes = Object.keys(programErrors) as ProgramError[]
