import { asText } from './as-text.ts'

/** The fields of a request that scripts use. */
export interface ProviderRequest {
  readonly model?: string
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly max_tokens?: number
  readonly system?: unknown
  readonly prompt?: unknown
  readonly tools?: unknown
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[]
  readonly [field: string]: unknown
}

/** A file of a received message. */
export interface RecordedFile {
  /** The media type in the request. */
  readonly type: string
  readonly base64: string
  readonly name?: string
  readonly detail?: string
}

/** A received message, uniform for all formats. */
export type RecordedMessage = Readonly<ReturnType<typeof readMessage>>
/** An offered tool. */
export type RecordedTool = Readonly<ReturnType<typeof readTool>>
/** The prompt of a call. */
export type RecordedPrompt = Readonly<ReturnType<typeof readPrompt>>

/** Reads a request of any format; missing parts are empty. An image request has its prompt as the only message. */
export function readPrompt(request: ProviderRequest) {
  const system = request.system === undefined ? [] : [{ role: 'system', content: request.system }]
  const image = request.prompt === undefined ? [] : [{ role: 'user', content: request.prompt }]
  const messages = [...system, ...image, ...listOf(request.messages)].map(readMessage)
  return { messages, tools: listOf(request.tools).map(readTool) }
}

/** The index of the user's last message, which only tool calls and results can follow; -1 without one. */
export const questionOf = (messages: readonly RecordedMessage[]): number =>
  messages.findLastIndex(({ role, results }) => role === 'user' && results.length === 0)

type Json = Readonly<Record<string, unknown>>
const recordOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(recordOf) : [])

/** Its name, and those of its parameters. */
function readTool(tool: Json) {
  const { name, parameters, input_schema: schema } = recordOf(tool.function ?? tool)
  return { name: asText(name), parameters: Object.keys(recordOf(recordOf(parameters ?? schema).properties)) }
}

function readMessage(message: Json) {
  const parts =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : listOf(message.content)
  const of = (type: string): Json[] => parts.filter((part) => part.type === type)
  const role = asText(message.role)
  const text = of('text')
    .map((part) => asText(part.text))
    .join('\n')
  return {
    role,
    /** Its texts, joined by line breaks. */
    text,
    files: parts.flatMap(readFile),
    /** Tool calls of an assistant message; `arguments` is JSON text. */
    calls: [...listOf(message.tool_calls).map(readCall), ...of('tool_use').map(readToolUse)],
    /** Tool results, by call id. */
    results: [
      ...(role === 'tool' ? [{ id: asText(message.tool_call_id), text }] : []),
      ...of('tool_result').map((block) => ({ id: asText(block.tool_use_id), text: textOf(block.content) })),
    ],
  }
}

const readCall = ({ id, function: called }: Json) => {
  const { name, arguments: text } = recordOf(called)
  return { id: asText(id), name: asText(name), arguments: asText(text) }
}
const readToolUse = ({ id, name, input }: Json) => ({
  id: asText(id),
  name: asText(name),
  arguments: JSON.stringify(input),
})

function readFile(part: Json): RecordedFile[] {
  const { url, detail } = recordOf(part.image_url)
  if (url !== undefined)
    return [{ ...ofDataUrl(url, 'image/*'), ...(detail !== undefined && { detail: asText(detail) }) }]
  const { file_data: data, filename: name } = recordOf(part.file)
  if (data !== undefined) return [{ ...ofDataUrl(data), name: asText(name) }]
  const { media_type: type, data: base64 } = recordOf(part.source)
  if (base64 === undefined) return []
  return [{ type: asText(type), base64: asText(base64), ...(part.title !== undefined && { name: asText(part.title) }) }]
}

/** @param otherwise the type if it is a plain URL */
function ofDataUrl(url: unknown, otherwise = ''): RecordedFile {
  const [, type = otherwise, base64 = ''] = /^data:([^;]*);base64,(.*)$/s.exec(asText(url)) ?? []
  return { type, base64 }
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .map((block) => asText(block.text ?? ''))
        .join('\n')
