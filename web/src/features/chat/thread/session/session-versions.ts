import type { Feedback } from '@parley/contracts'
import type { ThreadMessage } from '../state/thread-message.ts'
import type { SessionCore } from './session-core.ts'

/** Switches versions of a thread, and rates answers. `reveal` scrolls to a message. */
export function createVersions(
  { deps, store, change, release, reload }: SessionCore,
  reveal: (messageId: string) => Promise<void>,
) {
  const patch = (key: string, fields: Partial<ThreadMessage>) =>
    change((state) => ({
      ...state,
      prepended: false,
      messages: state.messages.map((message) => (message.key === key ? { ...message, ...fields } : message)),
    }))
  return {
    showVersion: async (messageId: string): Promise<void> => {
      const { chatId } = store.getState()
      if (chatId === null) return
      try {
        await deps.showPath(chatId, messageId)
      } catch (error) {
        deps.events.actionFailed('show', error)
        return
      }
      if (store.getState().hasNewer) return reveal(messageId)
      // A running answer in the version being left continues on the server.
      release()
      await reload()
    },
    rate: async (key: string, rating: Feedback['rating'] | null, reason?: string): Promise<void> => {
      const { chatId, messages } = store.getState()
      const row = messages.find((message) => message.key === key)
      if (chatId === null || !row?.id) return
      const fields = reason === undefined ? {} : { reason }
      patch(key, { feedback: rating && { rating, ...fields } })
      try {
        await deps.rateAnswer(chatId, { messageId: row.id, rating, ...fields })
      } catch (error) {
        patch(key, { feedback: row.feedback })
        deps.events.actionFailed('rate', error)
      }
    },
  }
}
