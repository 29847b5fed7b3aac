import type { ModelInfo, PromptMessage, SendBody } from '@parley/contracts'
import type { Clock, LiveSettings, Logger } from '@parley/kit'
import type { Caller } from '../callers.ts'
import type { Files } from '../files/files.ts'
import {
  type AnswerPlan,
  buildPrompt,
  builtInSystemPrompt,
  type Prompt,
  type PromptDraft,
  type Turn,
} from '../prompt.ts'
import type { MessageStore } from '../store/message-store.ts'
import { cleanText } from '../text/clean-text.ts'
import { modePrompt } from '../tools/mode-prompts.ts'
import { noTools } from '../tools/tool.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import type { Place } from './place.ts'
import type { SendRequest } from './send-request.ts'

/** More turns than this are never looked at. */
const maxTurns = 200
/** Tokens that tools may need; never more than a quarter of what the model can read. */
const toolTokens = 12_000

/** A send as far as its prompt goes. */
interface PromptWish {
  readonly caller: Pick<Caller, 'kind' | 'ownerId'>
  readonly body: SendBody
  readonly request: SendRequest
  readonly model: ModelInfo
  readonly place: Pick<Place, 'chatId' | 'userMessageId'>
}

/** Puts prompts together from what is stored, or from what a guest brought. */
export interface Prompts {
  build(send: PromptWish): Promise<AnswerPlan>
}

/** What putting prompts together uses. */
export interface PromptsDeps {
  readonly messages: MessageStore
  readonly files: Pick<Files, 'attachmentParts'>
  readonly toolbox: Toolbox
  readonly settings: LiveSettings
  readonly log: Logger
  readonly now: Clock
}

/** Prompts under the system prompt of the settings. */
export function createPrompts(deps: PromptsDeps): Prompts {
  const { messages, settings, toolbox, log } = deps
  const systemPrompt = async (): Promise<string> => {
    try {
      return (await settings.current()).systemPrompt
    } catch (error) {
      // An answer under the last known prompt is better than none.
      log.warn({ err: error }, 'the system prompt could not be asked for')
      return settings.lastKnown()?.systemPrompt ?? ''
    }
  }
  const stored = async ({ chatId, userMessageId }: PromptWish['place']) => {
    const path = await messages.path(chatId, userMessageId, maxTurns)
    const turns = path.toReversed().filter(({ status, content, attachments }) => {
      return status !== 'generating' && (content !== '' || attachments.length > 0)
    })
    return { turns, question: path[0] }
  }
  return {
    async build({ caller, body, request, model, place }) {
      if (caller.kind === 'guest') {
        const draft = buildPrompt(await systemPrompt(), guestTurns(body, request), model)
        return { ...withoutFiles(draft), tools: noTools }
      }
      const [system, { turns, question }] = await Promise.all([systemPrompt(), stored(place)])
      const modes = question?.modes ?? []
      const reserved = modes.length === 0 ? 0 : Math.min(toolTokens, Math.floor(model.contextLength / 4))
      const draft = buildPrompt(systemWith(system, modePrompt(modes, deps.now())), turns, model, reserved)
      const { ownerId } = caller
      const wish = { modes, question: cleanText(question?.content ?? ''), ownerId, model }
      const [prompt, tools] = await Promise.all([withFiles(deps, draft, ownerId, model), toolbox.forAnswer(wish)])
      return { ...prompt, tools }
    },
  }
}

const systemWith = (system: string, modes: string): string =>
  modes === '' ? system : `${system.trim() === '' ? builtInSystemPrompt : system}\n\n${modes}`

const withoutFiles = ({ files: _files, ...prompt }: PromptDraft): Prompt => prompt

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

/** A guest's own history: only what the two sides said; the message itself may be its last turn already. */
function guestTurns({ messages = [] }: SendBody, request: SendRequest): Turn[] {
  const text = 'text' in request ? request.text : ''
  const turns = messages.flatMap(({ role, content }): Turn[] =>
    (role === 'user' || role === 'assistant') && content.trim() !== '' ? [{ role, content }] : [],
  )
  const last = turns.at(-1)
  if (last?.role === 'user' && last.content === text) turns.pop()
  return [...turns, { role: 'user', content: text }]
}
