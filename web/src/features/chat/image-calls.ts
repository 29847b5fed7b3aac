import { endpoints, request } from '../../shared/api/index.ts'
import { getSession } from '../../shared/session/index.ts'
import type { ImageCalls } from './thread/session/session-core.ts'

/** Timeout of image generation in milliseconds. */
const timeoutMs = 300_000
const titleLength = 50

export const imageCalls: ImageCalls = {
  createChat: async (firstMessage, model) => {
    const { chatId } = await request(endpoints.create, { body: { title: titleOf(firstMessage), model } })
    return chatId
  },
  make: (body, signal) => request(endpoints.image, { body, signal, timeoutMs }),
  save: async (chatId, messages, model) => {
    if (getSession().user?.preferences.autoSaveChats !== true) return
    const saved = messages.flatMap(({ id, role, content }) => (id === null ? [] : [{ id, role, content }]))
    // The server has already stored both messages; a failed save is made up for by the next one.
    await request(endpoints.merge, { body: { chatId, messages: saved, model } }).catch(() => undefined)
  },
}

/** The first 50 characters, with an ellipsis when there are more; never splits a character. */
function titleOf(text: string): string {
  const characters = [...text.trim().replace(/\s+/g, ' ')]
  return characters.length > titleLength ? `${characters.slice(0, titleLength).join('')}…` : characters.join('')
}
