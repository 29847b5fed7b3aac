import { BookmarkPlus } from 'lucide-react'
import { useContext } from 'react'
import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import { MemoryContext } from '../memory-slot.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'

/** Remembers a stored message; renders nothing for one that is not on the server. */
export function RememberButton({ session, message }: { session: ChatSession; message: ThreadMessage }) {
  const { t } = useText()
  const memory = useContext(MemoryContext)
  const chatId = useStore(session.store, (state) => state.chatId)
  const { id, content } = message
  if (!memory || chatId === null || id === null || content.trim() === '') return null
  return (
    <IconButton
      label={t('memory.message')}
      aria-haspopup="dialog"
      onClick={() => memory.rememberMessage(content, { chatId, messageId: id })}
      className="size-8 text-ink-3"
    >
      <BookmarkPlus className="size-4" />
    </IconButton>
  )
}
