import { endpoints, request } from '../../../shared/api/index.ts'
import { getSession, guestThreadKey, privatePrefix } from '../../../shared/session/index.ts'
import { createComposerDrafts } from '../composer/composer-drafts.ts'
import { createGuestThreadStore } from '../thread/guest-thread.ts'
import { guestChatFile } from './guest-chat-file.ts'

/** Milliseconds that it may take: the person waits for it. */
const timeoutMs = 10_000

let running: { readonly userId: string; readonly result: Promise<string | null> } | null = null

/**
 * Saves the guest's chat of this tab in the account that is signed in, and the draft with it; then the tab forgets it. Answers the id of the chat, or null
 * when there was none. Asked again while it runs, or after a failure, it makes no second chat.
 * @throws ApiError when the server cannot take it; the tab keeps it then
 */
export function migrateGuestChat(): Promise<string | null> {
  const userId = getSession().user?._id ?? ''
  if (running?.userId === userId) return running.result
  const result = migrate().finally(() => {
    running = null
  })
  running = { userId, result }
  return result
}

async function migrate(): Promise<string | null> {
  const kept = createGuestThreadStore(sessionStorage, guestThreadKey)
  const forget = () => kept.write({ messages: [], generating: null })
  const file = guestChatFile(kept.read()?.messages ?? [])
  if (file === null) {
    forget()
    return null
  }
  const { chatIds = [] } = await request(endpoints.importChats, { body: file, query: { chatIds: 'true' }, timeoutMs })
  forget()
  const chatId = chatIds[0] ?? null
  if (chatId !== null) createComposerDrafts(localStorage, privatePrefix).adopt(chatId)
  return chatId
}
