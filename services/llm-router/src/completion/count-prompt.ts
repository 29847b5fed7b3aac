import type { PromptMessage, PromptPart } from '@parley/contracts'
import type { Prompt } from '../adapters/adapter.ts'
import { countTokens } from './count-tokens.ts'

/** Tokens of a message's role and framing. */
const messageOverhead = 4
/** Tokens of an image, which providers count by size: an image of common size at most providers. */
const imageTokens = { low: 85, auto: 1_100, high: 1_100 } as const
/** A PDF page is read as text and as an image; its base64 length is estimated from common documents. */
const page = { tokens: 2_000, base64Length: 100_000 }

/** Estimates the tokens of a prompt, for providers without usage figures. */
export async function countPrompt({ messages, tools }: Prompt): Promise<number> {
  const texts = messages.flatMap(textsOf)
  if (tools.length > 0) texts.push(JSON.stringify(tools))
  const parts = messages.flatMap((message) => (typeof message.content === 'string' ? [] : message.content))
  const files = parts.reduce((sum, part) => sum + fileTokens(part), 0)
  return (await countTokens(texts)) + files + messages.length * messageOverhead
}

function textsOf(message: PromptMessage): string[] {
  if (typeof message.content !== 'string') {
    return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  }
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  return [message.content, ...calls.map((call) => `${call.name} ${call.arguments}`)]
}

function fileTokens(part: PromptPart): number {
  if (part.type === 'image') return imageTokens[part.detail]
  return part.type === 'file' ? Math.ceil(part.data.length / page.base64Length) * page.tokens : 0
}
