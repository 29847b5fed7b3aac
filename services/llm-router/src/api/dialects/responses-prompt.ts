import type { PromptMessage, PromptPart, ResponseItem, ResponsesBody } from '@parley/contracts'
import { z } from 'zod'
import type { Prompt, PromptOptions } from '../../adapters/adapter.ts'
import type { PromptFiles } from './files.ts'
import { jsonFormat, toolOf, unreadablePart } from './prompt-parts.ts'

/** Parts that can be translated to another dialect; others are refused, or dropped where a model speaks. */
const partSchema = z.union([
  z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string(), detail: z.string().nullish() }),
  z.object({ type: z.literal('input_file'), file_data: z.string(), filename: z.string().nullish() }),
])

/** The input of a response request as items. */
export const inputItems = ({ input }: Pick<ResponsesBody, 'input'>): readonly ResponseItem[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input

/** Converts a response request in OpenAI's format to a prompt for any provider. @throws AppError validation_failed for invalid files */
export async function responsesPrompt(body: ResponsesBody, files: PromptFiles): Promise<Prompt> {
  const messages: PromptMessage[] = body.instructions ? [{ role: 'system', content: body.instructions }] : []
  const seen: PromptPart[] = []
  // The results of parallel calls must not be separated.
  const showFiles = (): void => {
    if (seen.length > 0) messages.push({ role: 'user', content: seen.splice(0) })
  }
  for (const item of inputItems(body)) {
    if (isResult(item)) seen.push(...(await filesIn(item.output, files)))
    else showFiles()
    await addItem(messages, item, files)
  }
  showFiles()
  const tools = (body.tools ?? []).flatMap((tool) => {
    if (!tool.name || (tool.type !== 'function' && tool.type !== 'custom')) return []
    return [toolOf({ ...tool, name: tool.name, ...(tool.type === 'custom' && freeText(tool)) })]
  })
  return { messages, tools, options: optionsOf(body) }
}

const isResult = ({ type }: ResponseItem): boolean =>
  type === 'function_call_output' || type === 'custom_tool_call_output'

const grammarSchema = z.object({ format: z.object({ type: z.literal('grammar'), definition: z.string() }) })

/** A custom tool, which takes plain text, as a function: not every provider knows such tools. */
function freeText(tool: { readonly description?: string | null | undefined }) {
  const { data } = grammarSchema.safeParse(tool)
  const grammar = data && `The input must match this grammar:\n${data.format.definition}`
  return {
    description: [tool.description, grammar].filter(Boolean).join('\n\n'),
    parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
  }
}

/** The names of a request's custom tools. */
export const customTools = ({ tools }: ResponsesBody): ReadonlySet<string> =>
  new Set((tools ?? []).flatMap(({ type, name }) => (type === 'custom' && name ? [name] : [])))

async function addItem(messages: PromptMessage[], item: ResponseItem, files: PromptFiles): Promise<void> {
  if (item.type === 'function_call' || item.type === 'custom_tool_call') {
    const text = item.type === 'function_call' ? item.arguments : JSON.stringify({ input: item.input ?? '' })
    const call = { id: item.call_id ?? '', name: item.name ?? '', arguments: text ?? '{}' }
    const last = messages.at(-1)
    // Parallel calls belong to one message.
    if (last?.role === 'assistant') last.toolCalls = [...(last.toolCalls ?? []), call]
    else messages.push({ role: 'assistant', content: '', toolCalls: [call] })
    return
  }
  if (isResult(item)) {
    messages.push({ role: 'tool', toolCallId: item.call_id ?? '', content: textOf(item.output) })
    return
  }
  switch (item.role) {
    case 'system':
    case 'developer':
      messages.push({ role: 'system', content: textOf(item.content) })
      return
    case 'assistant':
      messages.push({ role: 'assistant', content: textOf(item.content) })
      return
    case 'user':
      messages.push({ role: 'user', content: await userContent(item.content, files) })
  }
}

type Content = ResponseItem['content']

const partsIn = (content: Exclude<Content, string>): z.infer<typeof partSchema>[] =>
  (content ?? []).flatMap((part) => {
    const { data } = partSchema.safeParse(part)
    return data === undefined ? [] : [data]
  })

const textOf = (content: Content): string =>
  typeof content === 'string'
    ? content
    : partsIn(content)
        .map((part) => ('text' in part ? part.text : ''))
        .join('')

async function userContent(content: Content, files: PromptFiles): Promise<string | PromptPart[]> {
  if (typeof content === 'string') return content
  const parts: PromptPart[] = []
  for (const part of content ?? []) {
    const { data } = partSchema.safeParse(part)
    if (data === undefined) throw unreadablePart('input', part.type)
    parts.push(await promptPart(data, files))
  }
  return parts.length === 0 ? '' : parts
}

async function promptPart(part: z.infer<typeof partSchema>, files: PromptFiles): Promise<PromptPart> {
  if (part.type === 'input_image') return await files.image(part.image_url, part.detail ?? undefined)
  if (part.type === 'input_file') return files.file(part.file_data, part.filename ?? 'file.pdf')
  return { type: 'text', text: part.text }
}

/** The files in a tool's result, which itself is text. */
async function filesIn(output: Content, files: PromptFiles): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  for (const part of typeof output === 'string' ? [] : partsIn(output)) {
    if (part.type === 'input_image' || part.type === 'input_file') parts.push(await promptPart(part, files))
  }
  return parts
}

function optionsOf(body: ResponsesBody): PromptOptions {
  const { tool_choice: choice, text } = body
  return {
    maxTokens: body.max_output_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    toolChoice: typeof choice === 'object' ? (choice?.name ? { name: choice.name } : undefined) : choice,
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    format: jsonFormat(text?.format?.type, text?.format),
    effort: body.reasoning?.effort ?? undefined,
    user: body.user ?? undefined,
  }
}
