import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages'
import { answerIdSchema } from '@parley/contracts'
import { z } from 'zod'
import type { ProviderEvent } from '../adapters/adapter.ts'
import { createEventReader } from '../adapters/anthropic-events.ts'
import { anthropicUsageSchema, inputTokensOf } from '../adapters/anthropic-usage.ts'
import { createChunkReader } from '../adapters/openai-chunks.ts'
import { tokenCount } from '../adapters/token-count.ts'
import { base64OfVector } from '../embeddings/read-vectors.ts'

/** The meaning of an event of a provider's stream for the relay. */
export interface EventNote {
  /** It contains a piece of the answer. */
  readonly isPiece: boolean
  /** It contains the finish reason; usage figures may still follow. */
  readonly isFinish: boolean
  /** Nothing follows it. */
  readonly isEnd: boolean
  /** The caller has not requested it. */
  readonly isHidden: boolean
  /** The caller has requested it: the figures of the whole answer, to which the cost may be added. */
  readonly isFigures: boolean
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** The answer's own id. */
  readonly answerId?: string | undefined
}

/** How the answers of a kind of provider are read, as far as the relay needs. */
export interface ProviderFormat {
  /** After the first piece, an event that contains none of these is passed on without parsing. */
  readonly marks: readonly string[]
  /** Reads the events of one answer, in order. @throws Error for an invalid event or one that reports an error */
  reader(hidesUsage: boolean): (data: string) => EventNote
  /** Reads a whole answer. @throws Error when it is invalid */
  whole(body: unknown): WholeNote
}

/** The meaning of a whole answer for the relay. */
interface WholeNote extends Pick<EventNote, 'isPiece' | 'inputTokens' | 'outputTokens' | 'answerId'> {
  /** What the caller gets instead. */
  readonly replacement?: Uint8Array | undefined
}

const nothing: EventNote = { isPiece: false, isFinish: false, isEnd: false, isHidden: false, isFigures: false }
/** An unusable id counts as missing. */
const answerId = answerIdSchema.optional().catch(undefined)

/** Usage figures by their names in a format; invalid ones count as missing. */
const figuresIn = (input: string, output: string) =>
  z
    .object({ [input]: tokenCount, [output]: tokenCount })
    .nullish()
    .catch(undefined)
    .transform((usage) => ({ inputTokens: usage?.[input], outputTokens: usage?.[output] }))

const figuresOfChat = figuresIn('prompt_tokens', 'completion_tokens')
const wholeChat = z.object({
  id: answerId,
  choices: z
    .array(
      z.object({
        message: z.looseObject({ content: z.string().nullish(), tool_calls: z.array(z.unknown()).nullish() }),
      }),
    )
    .min(1),
  usage: figuresOfChat,
})

/** Chat completions. */
export const chatFormat: ProviderFormat = {
  marks: ['"usage":{', '"usage": {', '"finish_reason":"', '"finish_reason": "', '"error"', '[DONE]'],
  reader(hidesUsage) {
    const readChunk = createChunkReader()
    return (data) => {
      if (data === '') return nothing
      if (data === '[DONE]') return { ...nothing, isEnd: true, isFinish: true }
      const chunk = JSON.parse(data)
      // Invalid figures are no reason to lose an answer.
      const note = noteOf(readChunk({ ...chunk, usage: undefined }))
      const isOnlyUsage = Array.isArray(chunk.choices) && chunk.choices.length === 0 && chunk.usage != null
      return {
        ...note,
        isHidden: hidesUsage && isOnlyUsage,
        isFigures: !hidesUsage && chunk.usage != null && (isOnlyUsage || note.isFinish),
        answerId: answerId.parse(chunk?.id),
        ...figuresOfChat.parse(chunk?.usage),
      }
    }
  },
  whole(body) {
    const { id, choices, usage } = wholeChat.parse(body)
    const { content, tool_calls: calls } = choices[0]?.message ?? {}
    return {
      isPiece: Boolean(content) || (calls?.length ?? 0) > 0 || (usage.outputTokens ?? 0) > 0,
      answerId: id,
      ...usage,
    }
  },
}

const wholeMessage = z.object({
  id: answerId,
  type: z.literal('message'),
  content: z.array(z.unknown()),
  usage: anthropicUsageSchema,
})
const messageEvent = z.looseObject({ type: z.string(), message: z.looseObject({ id: answerId }).optional() })

/** Anthropic's Messages API. */
export const messagesFormat: ProviderFormat = {
  marks: ['"usage"', 'event: error', 'event:error', '"type":"error"', '"type": "error"', 'message_stop'],
  reader() {
    const readEvent = createEventReader()
    return (data) => {
      if (data === '') return nothing
      const event = messageEvent.parse(JSON.parse(data))
      if (event.type === 'error') throw new Error('The provider reported an error inside the stream')
      if (event.type === 'message_stop') return { ...nothing, isEnd: true, isFinish: true }
      return { ...noteOf(readEvent(event as unknown as RawMessageStreamEvent)), answerId: event.message?.id }
    }
  },
  whole(body) {
    const { id, content, usage } = wholeMessage.parse(body)
    const inputTokens = inputTokensOf(usage)
    return { isPiece: content.length > 0, answerId: id, inputTokens, outputTokens: usage?.output_tokens }
  },
}

const figuresOfResponse = figuresIn('input_tokens', 'output_tokens')
const wholeResponse = z.object({
  id: answerId,
  status: z.enum(['completed', 'incomplete']),
  output: z.array(z.unknown()),
  usage: figuresOfResponse,
})
const responseEvent = z.looseObject({
  type: z.string(),
  response: z.looseObject({ id: answerId, usage: figuresOfResponse }).optional(),
})
const failed: ReadonlySet<string> = new Set(['error', 'response.failed'])
const ended: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete'])

/** OpenAI's Responses API. Each response ends with an event that repeats all of it. */
export const responsesFormat: ProviderFormat = {
  marks: [...failed, ...ended].map((type) => `"${type}"`),
  reader: () => (data) => {
    if (data === '') return nothing
    const { type, response } = responseEvent.parse(JSON.parse(data))
    if (failed.has(type)) {
      const told = /"code": ?"context_length_exceeded"/.test(data) && { status: 400, isTooLong: true }
      throw Object.assign(new Error('The provider reported an error inside the stream'), told)
    }
    const isEnd = ended.has(type)
    return {
      ...nothing,
      isPiece: type.endsWith('.delta'),
      ...{ isEnd, isFinish: isEnd },
      answerId: response?.id,
      ...response?.usage,
    }
  },
  whole(body) {
    const { id, output, usage } = wholeResponse.parse(body)
    return { isPiece: output.length > 0, answerId: id, ...usage }
  },
}

/** What is not streamed has no events to read. */
const neverStreamed = { marks: [], reader: () => () => nothing } as const

const wholeEmbeddings = z.object({ data: z.array(z.unknown()).min(1), usage: figuresOfChat })
const plainEmbeddings = z.looseObject({
  // Not each number by itself: there may be millions.
  data: z.array(z.looseObject({ embedding: z.custom<number[]>(Array.isArray) })),
})
/** Embeddings. @param isEncoded the caller reads only base64: not every provider knows that format */
export const embeddingsFormat = (isEncoded: boolean): ProviderFormat => ({
  ...neverStreamed,
  whole(body) {
    const { usage } = wholeEmbeddings.parse(body)
    const figures = { isPiece: true, inputTokens: usage.inputTokens, outputTokens: 0 }
    return isEncoded ? { ...figures, replacement: encodedEmbeddings(body) } : figures
  },
})

/** Embeddings as base64 instead of numbers; undefined for those that are encoded already. */
function encodedEmbeddings(body: unknown): Uint8Array | undefined {
  const { data: plain } = plainEmbeddings.safeParse(body)
  if (plain === undefined) return undefined
  const data = plain.data.map((item) => ({ ...item, embedding: base64OfVector(Float32Array.from(item.embedding)) }))
  return Buffer.from(JSON.stringify({ ...plain, data }))
}

const wholeImages = z.object({ data: z.array(z.looseObject({})).min(1), usage: figuresOfResponse })
/** Images. */
export const imagesFormat: ProviderFormat = {
  ...neverStreamed,
  whole(body) {
    const { inputTokens = 0, outputTokens = 0 } = wholeImages.parse(body).usage
    return { isPiece: true, inputTokens, outputTokens }
  },
}

function noteOf(events: readonly ProviderEvent[]): EventNote {
  let [inputTokens, outputTokens]: (number | undefined)[] = []
  for (const event of events) {
    if (event.type !== 'usage') continue
    inputTokens = event.inputTokens ?? inputTokens
    outputTokens = event.outputTokens ?? outputTokens
  }
  return {
    ...nothing,
    isPiece: events.some(({ type }) => type === 'text' || type === 'reasoning' || type === 'tool-piece'),
    isFinish: events.some(({ type }) => type === 'finish'),
    ...{ inputTokens, outputTokens },
  }
}
