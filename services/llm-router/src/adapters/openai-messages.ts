import type { PromptMessage, PromptPart, PromptTool, PromptToolCall } from '@parley/contracts'
import type { ChatCompletionContentPart, ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources'

/** A message in the format of chat completions. */
export function openaiMessage(message: PromptMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: userContent(message.content) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
    case 'assistant':
      return assistantMessage(message)
  }
}

/** A tool in the format of chat completions. */
export const openaiTool = ({ name, description, parameters, strict }: PromptTool): ChatCompletionTool => ({
  type: 'function',
  // Omitted by default, because not every server knows the field.
  function: { name, description, parameters, ...(strict && { strict }) },
})

const userContent = (content: string | readonly PromptPart[]): string | ChatCompletionContentPart[] =>
  typeof content === 'string' ? content : content.map(openaiPart)

function openaiPart(part: PromptPart): ChatCompletionContentPart {
  switch (part.type) {
    case 'text':
      return part
    case 'image': {
      const url = dataUrl(part)
      // Omitted for the default, because not every server knows the field.
      return { type: 'image_url', image_url: part.detail === 'auto' ? { url } : { url, detail: part.detail } }
    }
    case 'file':
      return { type: 'file', file: { filename: part.name, file_data: dataUrl(part) } }
  }
}

const dataUrl = ({ mimeType, data }: { mimeType: string; data: string }): string => `data:${mimeType};base64,${data}`

function assistantMessage({
  content,
  toolCalls = [],
}: Extract<PromptMessage, { role: 'assistant' }>): ChatCompletionMessageParam {
  if (toolCalls.length === 0) return { role: 'assistant', content }
  return {
    role: 'assistant',
    // As OpenAI itself formats it; several other servers refuse an empty text.
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(openaiCall),
  }
}

/** A call of a tool in the format of chat completions. */
export const openaiCall = ({ id, name, arguments: text }: PromptToolCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
})
