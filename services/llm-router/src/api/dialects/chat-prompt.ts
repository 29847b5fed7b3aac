import type { ChatCompletionBody, ChatMessage, PromptMessage, PromptPart } from '@parley/contracts'
import type { Prompt, PromptOptions } from '../../adapters/adapter.ts'
import type { PromptFiles } from './files.ts'
import { jsonFormat, toolOf, unreadablePart } from './prompt-parts.ts'

/** Converts a chat completion in OpenAI's format to a prompt for any provider. @throws AppError validation_failed for invalid files */
export async function chatPrompt(body: ChatCompletionBody, files: PromptFiles): Promise<Prompt> {
  const messages: PromptMessage[] = []
  const seen: PromptPart[] = []
  // The results of parallel calls must not be separated.
  const showFiles = (): void => {
    if (seen.length > 0) messages.push({ role: 'user', content: seen.splice(0) })
  }
  for (const message of body.messages) {
    if (message.role === 'tool')
      seen.push(...(await partsOf(message.content, files)).filter(({ type }) => type !== 'text'))
    else showFiles()
    messages.push(await promptMessage(message, files))
  }
  showFiles()
  const last = messages.at(-1)
  // Anthropic refuses a conversation of instructions alone.
  if (last?.role === 'system' && messages.every(({ role }) => role === 'system'))
    messages.splice(-1, 1, { role: 'user', content: last.content })
  const tools = (body.tools ?? []).flatMap((tool) => (tool.function ? [toolOf(tool.function)] : []))
  return { messages, tools, options: optionsOf(body) }
}

async function promptMessage(message: ChatMessage, files: PromptFiles): Promise<PromptMessage> {
  const text = textOf(message.content)
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: text }
    case 'tool':
      return { role: 'tool', toolCallId: message.tool_call_id ?? '', content: text }
    case 'assistant': {
      const calls = (message.tool_calls ?? []).flatMap(({ id, function: call }) =>
        call ? [{ id, name: call.name, arguments: call.arguments }] : [],
      )
      return { role: 'assistant', content: text, ...(calls.length > 0 && { toolCalls: calls }) }
    }
    case 'user':
      return { role: 'user', content: await userContent(message.content, files) }
  }
}

const textOf = (content: ChatMessage['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('')

async function userContent(content: ChatMessage['content'], files: PromptFiles): Promise<string | PromptPart[]> {
  if (typeof content === 'string') return content
  const parts = await partsOf(content, files)
  return parts.length === 0 ? '' : parts
}

async function partsOf(content: ChatMessage['content'], files: PromptFiles): Promise<PromptPart[]> {
  const parts: PromptPart[] = []
  for (const { type, text, image_url: image, file } of typeof content === 'string' ? [] : (content ?? [])) {
    if (type === 'image_url' && image) parts.push(await files.image(image.url, image.detail ?? undefined))
    else if (type === 'file' && file?.file_data) parts.push(files.file(file.file_data, file.filename ?? 'file.pdf'))
    else if (text) parts.push({ type: 'text', text })
    else if (type !== 'text') throw unreadablePart('messages', type)
  }
  return parts
}

function optionsOf(body: ChatCompletionBody): PromptOptions {
  const { tool_choice: choice, response_format: format } = body
  const stop = typeof body.stop === 'string' ? [body.stop] : body.stop
  return {
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    stop: stop ?? undefined,
    toolChoice: typeof choice === 'object' ? (choice?.function ?? undefined) : choice,
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    format: jsonFormat(format?.type, format?.json_schema),
    effort: body.reasoning_effort ?? undefined,
    seed: body.seed ?? undefined,
    user: body.user ?? undefined,
  }
}
