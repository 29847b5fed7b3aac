import type { MessageBlock, MessagesBody, PromptMessage, PromptPart, PromptToolCall } from '@parley/contracts'
import { z } from 'zod'
import type { Prompt, PromptOptions } from '../../adapters/adapter.ts'
import type { PromptFiles } from './files.ts'
import { jsonFormat, toolOf } from './prompt-parts.ts'

const sourceSchema = z.union([
  z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  z.object({ type: z.literal('url'), url: z.string() }),
  z.object({ type: z.literal('text'), data: z.string() }),
])
/** Blocks that can be translated to another dialect; others are dropped. */
const knownBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), source: sourceSchema }),
  z.object({ type: z.literal('document'), source: sourceSchema, title: z.string().nullish() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
      .optional(),
  }),
])
type KnownBlock = z.infer<typeof knownBlock>

/** Converts a message in Anthropic's format to a prompt for any provider. @throws AppError validation_failed for invalid files */
export async function messagesPrompt(body: MessagesBody, files: PromptFiles): Promise<Prompt> {
  const system =
    typeof body.system === 'string' ? body.system : (body.system ?? []).map(({ text }) => text).join('\n\n')
  const messages: PromptMessage[] = system === '' ? [] : [{ role: 'system', content: system }]
  for (const { role, content } of body.messages) {
    const blocks = knownBlocks(content)
    if (role === 'user') messages.push(...(await userMessages(blocks, files)))
    else messages.push(...(role === 'assistant' ? assistantMessage(blocks) : systemMessage(blocks)))
  }
  // Without `strict`: what other providers require of such a schema goes beyond what Anthropic requires.
  const tools = (body.tools ?? []).flatMap(({ name, description, input_schema: parameters }) =>
    parameters === undefined ? [] : [toolOf({ name, description, parameters })],
  )
  return { messages, tools, options: optionsOf(body) }
}

const knownBlocks = (content: string | readonly MessageBlock[]): KnownBlock[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.flatMap((block) => {
        const { data } = knownBlock.safeParse(block)
        return data === undefined ? [] : [data]
      })

function assistantMessage(blocks: readonly KnownBlock[]): PromptMessage[] {
  const content = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const toolCalls = blocks.flatMap((block): PromptToolCall[] =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input ?? {}) }] : [],
  )
  if (content === '' && toolCalls.length === 0) return []
  return [{ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) }]
}

/** Anthropic's newer models take instructions within a conversation. */
function systemMessage(blocks: readonly KnownBlock[]): PromptMessage[] {
  const content = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n')
  return content === '' ? [] : [{ role: 'system', content }]
}

/** Tool results precede the rest of their message, because they answer the message before it; their files follow, because results are text. */
async function userMessages(blocks: readonly KnownBlock[], files: PromptFiles): Promise<PromptMessage[]> {
  const results = blocks.flatMap((block): PromptMessage[] =>
    block.type === 'tool_result' ? [{ role: 'tool', toolCallId: block.tool_use_id, content: resultText(block) }] : [],
  )
  const parts: PromptPart[] = []
  for (const block of blocks) parts.push(...(await partsOf(block, files)))
  return parts.length === 0 ? results : [...results, { role: 'user', content: parts }]
}

const resultText = ({ content = '' }: Extract<KnownBlock, { type: 'tool_result' }>): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')

async function partsOf(block: KnownBlock, files: PromptFiles): Promise<PromptPart[]> {
  if (block.type === 'text') return block.text === '' ? [] : [{ type: 'text', text: block.text }]
  if (block.type === 'tool_result') {
    const parts: PromptPart[] = []
    for (const inner of knownBlocks(block.content ?? '')) {
      if (inner.type === 'image' || inner.type === 'document') parts.push(...(await partsOf(inner, files)))
    }
    return parts
  }
  if (block.type !== 'image' && block.type !== 'document') return []
  const { source } = block
  if (source.type === 'text') return [{ type: 'text', text: source.data }]
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
  return [block.type === 'image' ? await files.image(url) : files.file(url, block.title ?? 'document.pdf')]
}

const choices = { auto: 'auto', none: 'none', any: 'required' } as const

/** Few other models know efforts above high. */
const effortOf = (effort: string): PromptOptions['effort'] =>
  effort === 'low' || effort === 'medium' ? effort : 'high'

function optionsOf(body: MessagesBody): PromptOptions {
  const { tool_choice: choice, thinking, output_config: output } = body
  const format = output?.format ?? body.output_format
  return {
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k,
    stop: body.stop_sequences,
    toolChoice: choice && (choice.type === 'tool' ? { name: choice.name ?? '' } : choices[choice.type]),
    parallelToolCalls: choice?.disable_parallel_tool_use === true ? false : undefined,
    format: jsonFormat(format?.type, format),
    effort: thinking && thinking.type !== 'disabled' ? effortOf(output?.effort ?? 'medium') : undefined,
    user: body.metadata?.user_id ?? undefined,
  }
}
