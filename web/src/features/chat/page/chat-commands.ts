import { messageOf } from '../../../shared/api/index.ts'
import { type ExportFormat, exportChat } from '../../../shared/chats/index.ts'
import { copyText } from '../../../shared/copy-text.ts'
import { notify } from '../../../shared/ui/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { lastCodeOf } from './last-code.ts'

const lastAnswerOf = (session: ChatSession): string =>
  session.store.getState().messages.findLast(({ role, content }) => role === 'assistant' && content !== '')?.content ??
  ''

/** Copies the last answer, or the last code in it; returns whether there was any. */
export function copyLast(session: ChatSession, what: 'answer' | 'code'): boolean {
  const answer = lastAnswerOf(session)
  const text = what === 'code' ? lastCodeOf(answer) : answer
  if (!text) return false
  void copyText(text).then((copied) => {
    if (copied) notify.success((now) => now('chat.message.copied'), { id: 'copied', duration: 2_000 })
    else notify.error((now) => now('chat.message.copyFailed'), { id: 'copied' })
  })
  return true
}

const formats: Readonly<Record<string, ExportFormat>> = { md: 'md', markdown: 'md', json: 'json' }

/** Downloads the chat as `md`, the default, or as `json`. */
export async function exportShown(session: ChatSession, format: string): Promise<void> {
  const { chatId } = session.store.getState()
  if (chatId === null) return
  try {
    await exportChat(chatId, formats[format.toLowerCase()] ?? 'md')
  } catch (error) {
    notify.error((now) => messageOf(error, now('history.exportFailed')))
  }
}
