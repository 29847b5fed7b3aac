import { z } from 'zod'
import { answerIdSchema, text } from '../primitives.ts'
import { type Route, routesFor } from '../route.ts'
import { apiModelSchema, apiUsageSchema, messagesModelSchema } from './api-answers.ts'

/** Text for a provider, of any characters, such as the NUL that a tool printed: it is stored as JSON at most. In practice the body limit applies first. */
const words = z.string().max(20_000_000)
const name = text(200)
const optional = <S extends z.ZodType>(schema: S) => schema.nullish()
const object = z.record(z.string(), z.unknown())
const count = z.number().int().min(1)
const effort = optional(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']))
const toolMode = z.enum(['none', 'auto', 'required'])
const answerFormat = z.enum(['text', 'json_object', 'json_schema'])
/** A JSON schema that the answer matches. */
const jsonAnswerSchema = z.looseObject({
  name: optional(name),
  schema: optional(object),
  strict: optional(z.boolean()),
})

/** A model id from a caller; an unknown one gives 404. */
const modelName = name.refine((value) => value !== '', 'Must not be empty')
const onlyOne = z.literal(1, 'Only n=1 is supported')

/** Entries of a bias; no caller needs as many. */
const mostBiases = 1_024
/** Biases by token id, in OpenAI's range. Checked as a whole, so that a refusal cannot repeat a name of any length. */
const tokenBiases = object.refine(
  (biases) =>
    Object.keys(biases).length <= mostBiases &&
    Object.values(biases).every((bias) => typeof bias === 'number' && Math.abs(bias) <= 100),
  `Must be at most ${mostBiases} tokens, each with a bias from -100 to 100`,
)

/** Never a file of the provider's own machine. */
const imageAddress = words.refine((url) => /^(https?:|data:)/i.test(url), 'Must be an http(s) or data URL')
/** A part of a message. Unknown types are passed on to providers of the same dialect. */
const chatPartSchema = z.looseObject({
  type: name,
  text: optional(words),
  image_url: optional(z.looseObject({ url: imageAddress, detail: optional(name) })),
  file: optional(z.looseObject({ filename: optional(name), file_data: optional(words) })),
})
const chatToolCallSchema = z
  .looseObject({
    id: name,
    type: optional(name),
    function: optional(z.looseObject({ name, arguments: words })),
  })
  .refine(({ type, function: call }) => type === 'custom' || Boolean(call), {
    path: ['function'],
    message: 'Must name the function and its arguments',
  })
const chatMessageSchema = z
  .looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: optional(z.union([words, z.array(chatPartSchema).max(10_000)])),
    tool_calls: optional(z.array(chatToolCallSchema).max(128)),
    tool_call_id: optional(name),
  })
  .refine(({ role, content }) => role === 'assistant' || (content ?? undefined) !== undefined, {
    path: ['content'],
    message: 'Only messages of the assistant may have no content',
  })
  .refine(({ role, tool_call_id }) => role !== 'tool' || Boolean(tool_call_id), {
    path: ['tool_call_id'],
    message: 'Must name the call that this is the result of',
  })
export type ChatMessage = z.infer<typeof chatMessageSchema>
const functionSchema = z.looseObject({
  name,
  description: optional(words),
  parameters: optional(object),
  strict: optional(z.boolean()),
})

/** A chat completion request in OpenAI's format. Null means omitted; unknown fields are passed on to providers of the same dialect. */
export const chatCompletionBodySchema = z.looseObject({
  model: modelName,
  messages: z.array(chatMessageSchema).min(1).max(10_000),
  stream: optional(z.boolean()),
  stream_options: optional(z.looseObject({ include_usage: optional(z.boolean()) })),
  max_tokens: optional(count),
  max_completion_tokens: optional(count),
  temperature: optional(z.number().min(0).max(2)),
  top_p: optional(z.number().min(0).max(1)),
  n: optional(onlyOne),
  stop: optional(z.union([words, z.array(words).max(16)])),
  seed: optional(z.number().int()),
  user: optional(name),
  frequency_penalty: optional(z.number().min(-2).max(2)),
  presence_penalty: optional(z.number().min(-2).max(2)),
  logprobs: optional(z.boolean()),
  top_logprobs: optional(z.number().int().min(0).max(20)),
  logit_bias: optional(tokenBiases),
  tools: optional(z.array(z.looseObject({ type: name, function: optional(functionSchema) })).max(128)),
  tool_choice: optional(
    z.union([toolMode, z.looseObject({ type: name, function: optional(z.looseObject({ name })) })]),
  ),
  parallel_tool_calls: optional(z.boolean()),
  response_format: optional(
    z.looseObject({ type: answerFormat, json_schema: optional(jsonAnswerSchema.extend({ name })) }),
  ),
  reasoning_effort: effort,
})
export type ChatCompletionBody = z.infer<typeof chatCompletionBodySchema>

const messageFormat = z.looseObject({ type: name, schema: object.optional() }).nullish()
const blockSchema = z.looseObject({ type: name })
/** A content block of a message in Anthropic's format. */
export type MessageBlock = z.infer<typeof blockSchema>
/** A messages request in Anthropic's format; unknown fields are ignored. */
export const messagesBodySchema = z.object({
  model: modelName,
  max_tokens: count,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([words, z.array(blockSchema).max(10_000)]),
      }),
    )
    .min(1)
    .max(10_000),
  system: z.union([words, z.array(z.looseObject({ type: name, text: words })).max(100)]).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.number().int().min(0).optional(),
  stop_sequences: z.array(words).max(100).optional(),
  tools: z
    .array(
      z.looseObject({ name, type: name.nullish(), description: words.optional(), input_schema: object.optional() }),
    )
    .max(10_000)
    .optional(),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: name.optional(),
      disable_parallel_tool_use: z.boolean().optional(),
    })
    .optional(),
  thinking: z
    .looseObject({ type: z.enum(['enabled', 'disabled', 'adaptive']), budget_tokens: count.optional() })
    .optional(),
  output_config: z.looseObject({ effort: name.nullish(), format: messageFormat }).optional(),
  /** Its name in earlier clients. */
  output_format: messageFormat,
  context_management: object.nullish(),
  cache_control: object.nullish(),
  metadata: z.looseObject({ user_id: text(512).nullish() }).optional(),
})
export type MessagesBody = z.infer<typeof messagesBodySchema>
/** A prompt in Anthropic's format whose tokens are counted. */
export const countTokensBodySchema = messagesBodySchema.omit({ max_tokens: true, stream: true })

/** An input item of a responses request. */
const responseItemSchema = z.looseObject({
  type: optional(name),
  id: optional(name),
  role: optional(z.enum(['system', 'developer', 'user', 'assistant'])),
  content: optional(z.union([words, z.array(z.looseObject({ type: name })).max(10_000)])),
  call_id: optional(name),
  name: optional(name),
  arguments: optional(words),
  input: optional(words),
  output: optional(z.union([words, z.array(z.looseObject({ type: name })).max(10_000)])),
})
export type ResponseItem = z.infer<typeof responseItemSchema>
/** A responses request in OpenAI's format: text and functions. */
export const responsesBodySchema = z.looseObject({
  model: modelName,
  input: z.union([words, z.array(responseItemSchema).min(1).max(10_000)]),
  instructions: optional(words),
  stream: optional(z.boolean()),
  max_output_tokens: optional(count),
  temperature: optional(z.number().min(0).max(2)),
  top_p: optional(z.number().min(0).max(1)),
  user: optional(name),
  tools: optional(z.array(functionSchema.extend({ type: name, name: optional(name) })).max(128)),
  tool_choice: optional(z.union([toolMode, z.looseObject({ type: name, name: optional(name) })])),
  parallel_tool_calls: optional(z.boolean()),
  text: optional(z.looseObject({ format: optional(jsonAnswerSchema.extend({ type: answerFormat })) })),
  reasoning: optional(z.looseObject({ effort })),
  include: optional(z.array(name).max(100)),
  store: optional(z.boolean()),
  metadata: optional(object),
  previous_response_id: optional(z.union([answerIdSchema, z.literal('')], 'Malformed id')),
  conversation: optional(z.literal('', 'Conversations aren’t supported: continue a response by previous_response_id')),
  background: optional(z.literal(false, 'Background responses aren’t supported')),
})
export type ResponsesBody = z.infer<typeof responsesBodySchema>
/** A prompt in the same format whose tokens are counted. */
const responseTokensBodySchema = responsesBodySchema.omit({ stream: true, store: true, max_output_tokens: true })

/** A stored response, or an item of its input. Their other fields are those of OpenAI's format. */
const storedResponseSchema = z.looseObject({ id: z.string(), object: z.literal('response') })
const listedItemSchema = z.looseObject({ id: z.string(), type: z.string() })
export type ListedItem = z.infer<typeof listedItemSchema>

/** An embeddings request in OpenAI's format. */
export const embeddingsBodySchema = z.object({
  model: modelName,
  input: z.union([
    words.refine((value) => value !== '', 'Must not be empty'),
    z.array(words).min(1).max(2_048),
    z.array(z.number().int()).min(1).max(100_000),
    z.array(z.array(z.number().int()).max(100_000)).min(1).max(2_048),
  ]),
  encoding_format: optional(z.enum(['float', 'base64'])),
  dimensions: optional(count),
  user: optional(name),
})
export type EmbeddingsBody = z.infer<typeof embeddingsBodySchema>

/** An image request in OpenAI's format. */
export const imageBodySchema = z.object({
  model: modelName,
  prompt: z
    .string()
    .max(32_000)
    .refine((value) => value !== '', 'Must not be empty'),
  n: optional(onlyOne),
  size: optional(name),
  quality: optional(name),
  style: optional(name),
  background: optional(name),
  output_format: optional(name),
  response_format: optional(z.enum(['b64_json', 'url'])),
  stream: optional(z.literal(false, 'Streaming images isn’t supported')),
  user: optional(name),
})
export type ImageBody = z.infer<typeof imageBodySchema>

const megabyte = 1024 * 1024
/** Options of routes whose body is a prompt with images and files. */
const promptBody = { stream: true, bodyLimit: 20 * megabyte, bodyValues: 200_000 } as const
const program = routesFor('llm-router', 'key')
const ofResponse = { params: z.object({ id: answerIdSchema }) }
/** Routes for API keys: OpenAI's API, and Anthropic's messages. */
export const apiRoutes = {
  models: program.get('/v1/models', {
    summary:
      "Models that an API key may use, in OpenAI's format, or in Anthropic's with the header `anthropic-version`",
    answer: z.union([
      z.object({ object: z.literal('list'), data: z.array(apiModelSchema) }),
      z.object({
        data: z.array(messagesModelSchema),
        has_more: z.literal(false),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
      }),
    ]),
  }),
  model: program.get('/v1/models/:id', {
    summary: "One model, in OpenAI's format, or in Anthropic's with the header `anthropic-version`",
    params: z.object({ id: name }),
    answer: z.union([apiModelSchema, messagesModelSchema]),
  }),
  usage: program.get('/v1/usage', {
    summary: 'Usage and remaining rate limit of the key',
    answer: apiUsageSchema,
  }),
  chatCompletions: program.post('/v1/chat/completions', {
    ...promptBody,
    summary: "A chat completion in OpenAI's format; JSON, or an event stream with `stream`",
    body: chatCompletionBodySchema,
  }),
  messages: program.post('/v1/messages', {
    ...promptBody,
    summary: "A message in Anthropic's format",
    body: messagesBodySchema,
  }),
  countTokens: program.post('/v1/messages/count_tokens', {
    ...promptBody,
    summary: "The estimated tokens of a prompt in Anthropic's format, free of charge",
    body: countTokensBodySchema,
    answer: z.object({ input_tokens: z.number().int() }),
  }),
  responses: program.post('/v1/responses', {
    ...promptBody,
    summary: "A response in OpenAI's format: text and functions",
    body: responsesBodySchema,
  }),
  responseTokens: program.post('/v1/responses/input_tokens', {
    ...promptBody,
    summary: "The estimated tokens of a prompt in OpenAI's responses format, free of charge",
    body: responseTokensBodySchema,
    answer: z.object({ object: z.literal('response.input_tokens'), input_tokens: z.number().int() }),
  }),
  storedResponse: program.get('/v1/responses/:id', {
    summary: "A stored response in OpenAI's format",
    ...ofResponse,
    query: z.object({ stream: z.literal('false', 'Only background responses could be streamed again').optional() }),
    answer: storedResponseSchema,
  }),
  removeResponse: program.delete('/v1/responses/:id', {
    summary: 'Deletes a stored response',
    ...ofResponse,
    answer: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
  }),
  cancelResponse: program.post('/v1/responses/:id/cancel', {
    summary: 'Refused: only background responses could be cancelled',
    ...ofResponse,
  }),
  responseInput: program.get('/v1/responses/:id/input_items', {
    summary: "The items of a stored response's own request, in OpenAI's format",
    ...ofResponse,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      order: z.enum(['asc', 'desc']).default('desc'),
      after: text(300).optional(),
    }),
    answer: z.object({
      object: z.literal('list'),
      data: z.array(listedItemSchema),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
      has_more: z.boolean(),
    }),
  }),
  embeddings: program.post('/v1/embeddings', {
    ...promptBody,
    bodyLimit: 8 * megabyte,
    // OpenAI's limit is 300,000 tokens in 2,048 inputs; some clients send them as numbers.
    bodyValues: 310_000,
    summary: "Embeddings in OpenAI's format",
    body: embeddingsBodySchema,
  }),
  images: program.post('/v1/images/generations', {
    ...promptBody,
    bodyLimit: 256 * 1024,
    bodyValues: 1_000,
    summary: "One image in OpenAI's format",
    body: imageBodySchema,
  }),
} as const

/** Whether a served path belongs to the routes for API keys. */
export const isApiPath = (path: string): boolean => /^\/api\/v1(?=\/|$)/.test(path)
/** Whether the errors of a path are in Anthropic's format. */
export const isMessagesPath = (path: string): boolean => /^\/api\/v1\/messages(?=\/|$)/.test(path)
/** Whether a request comes from a client of Anthropic: only these send the version header. */
export const isOfAnthropic = (headers: Readonly<Record<string, unknown>>): boolean => 'anthropic-version' in headers
/** Whether a route is for API keys. */
export const isApiRoute = ({ access }: Pick<Route, 'access'>): boolean => access === 'key'
