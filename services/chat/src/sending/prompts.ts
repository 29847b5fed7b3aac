import { builtInSystemPrompt, type ModelInfo, type PromptMessage, type SendBody } from '@parley/contracts'
import type { Common } from '../common.ts'
import type { Files } from '../files/files.ts'
import type { HeldPrompt } from '../files/prompt-memory.ts'
import { nothingRecalled, type Recalled } from '../memory/memory-events.ts'
import { memoryPrompt } from '../memory/memory-prompt.ts'
import type { Recall } from '../memory/recall.ts'
import { cleanText } from '../text/clean-text.ts'
import { modePrompt } from '../tools/mode-prompts.ts'
import { noTools } from '../tools/tool.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import type { AcceptedSend } from './accepted-send.ts'
import {
  type AnswerPrompt,
  buildPrompt,
  continuationOf,
  type Prompt,
  type PromptDraft,
  type PromptTurn,
  withContinuation,
} from './prompt.ts'
import { maxTurns, readTurns } from './read-turns.ts'
import type { SendRequest } from './send-request.ts'

/** Tokens that tools may need; never more than a quarter of what the model can read. */
const toolTokens = 12_000

/** A send whose prompt is to be built. */
interface PromptRequest extends Pick<AcceptedSend, 'caller' | 'body' | 'request' | 'model' | 'position'> {
  /** Memories that were asked for already, by the text of a new message. */
  readonly recalling?: Promise<Recalled> | undefined
  /** The text of an answer that is continued. */
  readonly answered?: string | undefined
}

/** Builds prompts from stored messages, or from those that a guest sent. */
export type Prompts = ReturnType<typeof createPrompts>

export interface PromptsDeps extends Pick<Common, 'stores' | 'settings' | 'log' | 'now'> {
  readonly files: Files
  readonly toolbox: Toolbox
  readonly recall: Recall
}

/** Prompts under the system prompt of the settings. */
export function createPrompts(deps: PromptsDeps) {
  const { stores, settings, toolbox, recall, log } = deps
  const systemPrompt = async (): Promise<string> => {
    try {
      return (await settings.current()).systemPrompt
    } catch (error) {
      // An answer under the last known prompt is better than none.
      log.warn({ err: error }, 'the system prompt could not be read')
      return settings.lastKnown()?.systemPrompt ?? ''
    }
  }
  return {
    /** @param held counts the files that the prompt reads */
    async build(send: PromptRequest, held: Pick<HeldPrompt, 'add'>): Promise<AnswerPrompt> {
      const { caller, body, request, model, position, recalling, answered } = send
      const continuation = answered === undefined ? undefined : continuationOf(answered, model)
      if (caller.kind === 'guest') {
        const draft = buildPrompt(await systemPrompt(), guestTurns(body, request), model, continuation?.tokens)
        return { ...withContinuation(withoutFiles(draft), continuation), tools: noTools, recalled: nothingRecalled }
      }
      const { chatId, userMessageId } = position
      const [system, { turns, question }] = await Promise.all([
        systemPrompt(),
        readTurns(stores.messages, chatId, userMessageId, model.contextLength),
      ])
      const { ownerId } = caller
      const fill = (draft: PromptDraft): Promise<Prompt> => {
        held.add(bytesOf(draft))
        return withFiles(deps, draft, ownerId, model)
      }
      const asked = cleanText(question?.content ?? '')
      const recalls = position.memory && continuation === undefined
      const recalled = recalls ? await (recalling ?? recall(ownerId, asked)) : nothingRecalled
      const modes = question?.modes ?? []
      const reserved = modes.length === 0 ? 0 : Math.min(toolTokens, Math.floor(model.contextLength / 4))
      const additions = [modePrompt(modes, deps.now()), memoryPrompt(recalled.memories)].filter((each) => each !== '')
      const draft = buildPrompt(systemWith(system, additions), turns, model, continuation?.tokens ?? reserved)
      // The results of earlier look-ups are in the text of an answer that is continued; nothing is looked up twice.
      const findTools = () => toolbox.forAnswer({ modes, question: asked, ownerId, model })
      const [prompt, tools] = await Promise.all([fill(draft), continuation === undefined ? findTools() : noTools])
      return { ...withContinuation(prompt, continuation), tools, recalled }
    },
  }
}

const systemWith = (system: string, additions: readonly string[]): string =>
  additions.length === 0 ? system : [system.trim() === '' ? builtInSystemPrompt : system, ...additions].join('\n\n')

const withoutFiles = ({ files: _files, ...prompt }: PromptDraft): Prompt => prompt

const bytesOf = ({ files }: PromptDraft): number => [...files.values()].flat().reduce((sum, { size }) => sum + size, 0)

/** Puts the files of each message in front of its text. */
async function withFiles(
  { files }: PromptsDeps,
  draft: PromptDraft,
  ownerId: string,
  model: ModelInfo,
): Promise<Prompt> {
  const fill = async (message: PromptMessage): Promise<PromptMessage> => {
    const attachments = draft.files.get(message)
    if (attachments === undefined || message.role !== 'user' || typeof message.content !== 'string') return message
    const parts = await files.attachmentParts(ownerId, attachments, model)
    return { ...message, content: [...parts, { type: 'text', text: message.content }] }
  }
  return { ...withoutFiles(draft), messages: await Promise.all(draft.messages.map(fill)) }
}

/** A guest's own history: only what the two sides said last; the message itself may be its last turn already. */
function guestTurns({ messages = [] }: SendBody, request: SendRequest): PromptTurn[] {
  const turns = messages
    .slice(-maxTurns)
    .flatMap(({ role, content }): PromptTurn[] =>
      (role === 'user' || role === 'assistant') && content?.trim() ? [{ role, content }] : [],
    )
  if (!('text' in request)) {
    // The answer that is continued comes with its stored text.
    while (turns.at(-1)?.role === 'assistant') turns.pop()
    return turns
  }
  const { text } = request
  const last = turns.at(-1)
  if (last?.role === 'user' && last.content === text) turns.pop()
  return [...turns, { role: 'user', content: text }]
}
