import { type Attachment, builtInSystemPrompt, type ModelInfo, type PromptMessage } from '@parley/contracts'
import { maxPromptFileBytes } from '../files/attachment-rules.ts'
import type { Recalled } from '../memory/memory-events.ts'
import { cleanText } from '../text/clean-text.ts'
import { estimateLength, estimateTokens } from '../text/estimate-tokens.ts'
import type { AnswerTools } from '../tools/tool.ts'

/** The messages sent to the model, and about how many tokens they take. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  readonly tokens: number
  /** Tokens that the model's context has left for what tools give. */
  readonly room: number
}

/** The prompt of an answer, and the tools that it may use. */
export interface AnswerPrompt extends Prompt {
  /** The memories in it. */
  readonly recalled: Recalled
  readonly tools: AnswerTools
}

/** A prompt whose files are still to be put in front of the texts of their messages. */
export interface PromptDraft extends Prompt {
  readonly files: ReadonlyMap<PromptMessage, readonly Attachment[]>
}

/** One turn of a conversation, oldest first. */
export interface PromptTurn {
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly attachments?: readonly Attachment[]
}

/** Tokens that a role name and the like take. */
const perMessage = 4
const perImage = { low: 100, auto: 1_200, high: 1_200 } as const
const perPage = 1_000

/**
 * Puts together the system prompt and as many of the latest turns as the model's context holds beside its answer. The last turn, the question,
 * is always kept with its files; those of earlier turns as far as there is room, the latest first. User turns are cleaned.
 * @param reserved tokens to be left for what tools give
 */
export function buildPrompt(
  systemPrompt: string,
  turns: readonly PromptTurn[],
  model: Pick<ModelInfo, 'contextLength' | 'maxTokens'>,
  reserved = 0,
): PromptDraft {
  const system: PromptMessage = {
    role: 'system',
    content: systemPrompt.trim() === '' ? builtInSystemPrompt : systemPrompt,
  }
  const limit = model.contextLength - Math.min(model.maxTokens, Math.floor(model.contextLength / 2))
  const kept: Draft[] = []
  let tokens = textCost(system.content)
  let bytes = 0
  for (const turn of turns.toReversed()) {
    const isQuestion = kept.length === 0
    const room = isQuestion ? everything : { tokens: limit - reserved - tokens, bytes: maxPromptFileBytes - bytes }
    const draft = draftOf(turn, room)
    if (draft.tokens > room.tokens) break
    tokens += draft.tokens
    bytes += draft.bytes
    kept.push(draft)
  }
  // Some providers refuse a conversation that begins with an answer.
  while (kept.at(-1)?.message.role === 'assistant') tokens -= kept.pop()?.tokens ?? 0
  const drafts = kept.reverse()
  return {
    messages: [system, ...drafts.map(({ message }) => message)],
    files: new Map(drafts.flatMap(({ message, files }) => (files.length > 0 ? [[message, files] as const] : []))),
    tokens,
    room: Math.max(0, limit - tokens),
  }
}

/** What asks a model to go on with an answer: its text, and what is wanted. Not every model goes on behind a text of its own, so a user's turn asks for it. */
type Continuation = Omit<Prompt, 'room'>

const instruction =
  'Your last message was cut off. Continue it exactly where it ends, in the same language and format: begin with the very next characters, even in the middle of a word, a sentence, a table or a code block. Repeat nothing, do not greet, comment or apologise, and do not open a code block again that is still open.'

/** Asks for the rest of an answer; of a text that takes more than half of what the model can read, the end is shown. */
export function continuationOf(
  text: string,
  { contextLength, maxTokens }: Pick<ModelInfo, 'contextLength' | 'maxTokens'>,
): Continuation {
  const limit = contextLength - Math.min(maxTokens, Math.floor(contextLength / 2))
  const shown = text.slice(-estimateLength(Math.floor(limit / 2))).toWellFormed()
  return {
    // Some providers refuse a turn that is nothing but white space at its end.
    messages: [
      { role: 'assistant', content: shown.trimEnd() },
      { role: 'user', content: instruction },
    ],
    tokens: textCost(shown) + textCost(instruction),
  }
}

/** The prompt, and behind it what asks for the rest of an answer. */
export const withContinuation = <P extends Prompt>(prompt: P, continuation: Continuation | undefined): P =>
  continuation === undefined
    ? prompt
    : {
        ...prompt,
        messages: [...prompt.messages, ...continuation.messages],
        tokens: prompt.tokens + continuation.tokens,
        room: Math.max(0, prompt.room - continuation.tokens),
      }

interface Draft {
  readonly message: PromptMessage & { content: string }
  readonly files: readonly Attachment[]
  readonly tokens: number
  readonly bytes: number
}
interface Room {
  readonly tokens: number
  readonly bytes: number
}
const everything: Room = { tokens: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** A turn with its files if there is room for them, else with a note in their place. */
function draftOf({ role, content, attachments = [] }: PromptTurn, room: Room): Draft {
  if (role === 'assistant') {
    const text = content === '' && attachments.length > 0 ? '[An image was made.]' : content
    return { message: { role, content: text }, files: [], tokens: textCost(text), bytes: 0 }
  }
  const text = cleanText(content)
  const bytes = attachments.reduce((sum, { size }) => sum + size, 0)
  const whole = textCost(text) + attachments.reduce((sum, attachment) => sum + fileCost(attachment), 0)
  if (attachments.length === 0 || (bytes <= room.bytes && whole <= room.tokens)) {
    return { message: { role, content: text }, files: attachments, tokens: whole, bytes }
  }
  const noted = `${text}\n\n[Attached earlier, and left out for want of room: ${attachments.map(({ name }) => name).join(', ')}]`
  return { message: { role, content: noted }, files: [], tokens: textCost(noted), bytes: 0 }
}

const textCost = (text: string): number => perMessage + estimateTokens(text.length)

const fileCost = ({ type, detail, pages }: Attachment): number =>
  type === 'image' ? perImage[detail] : (pages ?? 1) * perPage
