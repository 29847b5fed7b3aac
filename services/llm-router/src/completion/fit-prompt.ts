import type { Model, PromptMessage, PromptPart, PromptToolCall } from '@parley/contracts'
import type { Prompt } from '../adapters/adapter.ts'
import { parsedArguments } from '../adapters/tool-calls.ts'

/** The capabilities that decide how a prompt is reduced. */
type Senses = Pick<Model, 'supportsTools' | 'supportsThinking' | 'supportsImageAttachments' | 'supportsFileAttachments'>

/**
 * Reduces a prompt to what the model supports. Unreadable files become a note; without tools, earlier calls and their results become text;
 * without reasoning its effort is left out.
 * Calls without a result and results without a call are removed, because providers refuse them.
 */
export function fitPrompt(asked: Prompt, model: Senses): Prompt {
  const tools = model.supportsTools ? asked.tools : []
  const readable = pairCalls(asked.messages).map((message) => withReadableParts(message, model))
  return {
    ...{ messages: tools.length > 0 ? readable : callsAsText(readable), tools },
    ...(asked.options && { options: model.supportsThinking ? asked.options : { ...asked.options, effort: undefined } }),
  }
}

function withReadableParts(message: PromptMessage, model: Senses): PromptMessage {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const content = message.content.map((part) => readablePart(part, model))
  const isText = content.every((part) => part.type === 'text')
  // Text needs no parts, and not every server knows them.
  return isText ? { role: 'user', content: content.map(({ text }) => text).join('\n\n') } : { role: 'user', content }
}

function readablePart(part: PromptPart, model: Senses): PromptPart {
  if (part.type === 'image' && !model.supportsImageAttachments) {
    return { type: 'text', text: '[An image was attached here, which this model cannot see.]' }
  }
  if (part.type === 'file' && !model.supportsFileAttachments) {
    return {
      type: 'text',
      text: `[The file ${JSON.stringify(part.name)} was attached here, which this model cannot read.]`,
    }
  }
  return part
}

/** Keeps only calls that were answered immediately, with their results; arguments that are not a JSON object become an empty one. */
function pairCalls(messages: readonly PromptMessage[]): PromptMessage[] {
  let open = new Set<string>()
  return messages.flatMap((message, index): PromptMessage[] => {
    if (message.role === 'tool') return open.delete(message.toolCallId) ? [message] : []
    open = new Set()
    if (message.role !== 'assistant' || message.toolCalls === undefined) return [message]
    const answered = idsAnsweredAfter(messages, index)
    const toolCalls = message.toolCalls.filter(({ id }) => answered.has(id)).map(withObject)
    open = new Set(toolCalls.map(({ id }) => id))
    return toolCalls.length > 0 || message.content !== '' ? [{ ...message, toolCalls }] : []
  })
}

function idsAnsweredAfter(messages: readonly PromptMessage[], index: number): Set<string> {
  const ids = new Set<string>()
  for (let next = index + 1; ; next += 1) {
    const message = messages[next]
    if (message?.role !== 'tool') return ids
    ids.add(message.toolCallId)
  }
}

/** A model learns of its own mistake from the result of the call. */
const withObject = (call: PromptToolCall): PromptToolCall =>
  parsedArguments(call.arguments) ? call : { ...call, arguments: '{}' }

/** Calls and results as text, for models without tools. */
function callsAsText(messages: readonly PromptMessage[]): PromptMessage[] {
  const names = new Map<string, string>()
  return messages.flatMap((message): PromptMessage[] => {
    if (message.role === 'tool') {
      return [{ role: 'user', content: `Result of ${names.get(message.toolCallId)}:\n${message.content}` }]
    }
    if (message.role !== 'assistant' || message.toolCalls === undefined) return [message]
    for (const { id, name } of message.toolCalls) names.set(id, name)
    return message.content === '' ? [] : [{ role: 'assistant', content: message.content }]
  })
}
