import type { ModelInfo, SendBody } from '@parley/contracts'
import type { LiveSettings, Logger } from '@parley/kit'
import type { Caller } from '../callers.ts'
import { buildPrompt, type Prompt, type Turn } from '../prompt.ts'
import type { MessageStore } from '../store/message-store.ts'
import type { Place } from './place.ts'
import type { SendRequest } from './send-request.ts'

/** More turns than this are never looked at. */
const maxTurns = 200

/** Puts prompts together from what is stored, or from what a guest brought. */
export interface Prompts {
  build(send: {
    readonly caller: Pick<Caller, 'kind'>
    readonly body: SendBody
    readonly request: SendRequest
    readonly model: ModelInfo
    readonly place: Pick<Place, 'chatId' | 'userMessageId'>
  }): Promise<Prompt>
}

/** What putting prompts together uses. */
export interface PromptsDeps {
  readonly messages: MessageStore
  readonly settings: LiveSettings
  readonly log: Logger
}

/** Prompts under the system prompt of the settings. */
export function createPrompts({ messages, settings, log }: PromptsDeps): Prompts {
  const systemPrompt = async (): Promise<string> => {
    try {
      return (await settings.current()).systemPrompt
    } catch (error) {
      // An answer under the last known prompt is better than none.
      log.warn({ err: error }, 'the system prompt could not be asked for')
      return settings.lastKnown()?.systemPrompt ?? ''
    }
  }
  const stored = async ({ chatId, userMessageId }: Pick<Place, 'chatId' | 'userMessageId'>): Promise<Turn[]> => {
    const path = await messages.path(chatId, userMessageId, maxTurns)
    return path.toReversed().filter(({ status, content }) => status !== 'generating' && content !== '')
  }
  return {
    async build({ caller, body, request, model, place }) {
      const turns = caller.kind === 'guest' ? guestTurns(body, request) : await stored(place)
      return buildPrompt(
        await systemPrompt(),
        turns.map(({ role, content }) => ({ role, content })),
        model,
      )
    },
  }
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
