import type { Cache } from '@parley/cache'
import { type CheapestModel, notFound } from '@parley/kit'
import type { Common } from '../common.ts'
import { hasVisibleText } from '../generation/ending.ts'
import { ownChat } from '../refusals.ts'
import { followUpPrompt, readFollowUps } from './follow-up-prompt.ts'

/** How long the suggestions of an answer are kept, in milliseconds. */
const keptMs = 60 * 60 * 1000

export interface FollowUpsDeps extends Pick<Common, 'stores' | 'settings' | 'log'> {
  readonly model: CheapestModel
  readonly cache: Cache
}

/** Suggests follow-up questions, where an admin has switched that on: made by this model, cached per answer. */
export function createFollowUps({ stores, settings, model, cache, log }: FollowUpsDeps) {
  const kept = async (key: string): Promise<readonly string[] | undefined> => {
    const found = await cache.get(key).catch(() => undefined)
    return found === undefined ? undefined : (JSON.parse(found) as string[])
  }
  return {
    /**
     * Suggestions after an answer of the owner's chat, asked of a model once an hour at most, and anew once the answer was continued; none where it
     * fails or answered nothing.
     * @throws AppError not_found without such an answer
     */
    async suggest(ownerId: string, chatId: string, messageId: string): Promise<readonly string[]> {
      await ownChat(stores.chats, chatId, ownerId)
      const [answer, question] = await stores.messages.path(chatId, messageId, 2)
      if (answer?.role !== 'assistant') throw notFound()
      if (answer.status !== 'complete' || question === undefined || !hasVisibleText(answer.content)) return []
      if (!(await settings.current()).followUps) return []
      // A continued answer is another one, in the same message.
      const key = `follow-ups:${answer.generations?.at(-1)?.id ?? messageId}`
      const known = await kept(key)
      if (known !== undefined) return known
      const found = (await model.ask(followUpPrompt(question.content, answer.content), readFollowUps)) ?? []
      await cache.set(key, JSON.stringify(found), keptMs).catch((error: unknown) => {
        log.warn({ err: error }, 'suggestions could not be kept')
      })
      return found
    },
  }
}
