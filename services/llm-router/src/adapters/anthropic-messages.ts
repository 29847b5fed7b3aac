import type {
  Base64ImageSource,
  ContentBlockParam,
  MessageParam,
  Tool,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { PromptMessage, PromptPart, PromptTool, PromptToolCall } from '@parley/contracts'

/** The prompt's system messages as one text. */
export const systemText = (messages: readonly PromptMessage[]): string =>
  messages
    .map((message) => (message.role === 'system' ? message.content : ''))
    .filter(Boolean)
    .join('\n\n')

/** The other messages: adjacent ones of the same role are merged, tool results come first within a message. */
export function conversation(messages: readonly PromptMessage[]): MessageParam[] {
  const turns: { role: 'assistant' | 'user'; content: ContentBlockParam[] }[] = []
  for (const message of messages) {
    const content = blocksOf(message)
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = turns.at(-1)
    // Anthropic refuses a conversation with an empty message.
    if (content.length === 0) continue
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  return turns.map(({ role, content }) => ({ role, content: plainIfText(content) }))
}

/** A tool in Anthropic's format. */
export const anthropicTool = ({ name, description, parameters, strict }: PromptTool): Tool => ({
  name,
  description,
  input_schema: { ...parameters, type: 'object' },
  ...(strict && { strict }),
})

function blocksOf(message: PromptMessage): ContentBlockParam[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return typeof message.content === 'string' ? textBlocks(message.content) : message.content.flatMap(partBlocks)
    case 'assistant':
      return [...textBlocks(message.content), ...(message.toolCalls ?? []).map(toolUse)]
    case 'tool':
      return [{ type: 'tool_result', tool_use_id: toolId(message.toolCallId), content: message.content }]
  }
}

const textBlocks = (text: string): ContentBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

function partBlocks(part: PromptPart): ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text)
    case 'image': {
      const media_type = part.mimeType as Base64ImageSource['media_type']
      return [{ type: 'image', source: { type: 'base64', media_type, data: part.data } }]
    }
    case 'file': {
      const source = { type: 'base64', media_type: part.mimeType, data: part.data } as const
      return [{ type: 'document', source, title: part.name }]
    }
  }
}

const toolUse = ({ id, name, arguments: text }: PromptToolCall): ToolUseBlockParam => ({
  type: 'tool_use',
  id: toolId(id),
  name,
  input: JSON.parse(text),
})

/** Replaces characters in other providers' ids that Anthropic does not accept. */
const toolId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_')

function plainIfText(content: ContentBlockParam[]): string | ContentBlockParam[] {
  const [first] = content
  return content.length === 1 && first?.type === 'text' ? first.text : content
}
