import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { classNames } from '../../../shared/ui/index.ts'
import { useDocumentTitle } from '../../../shared/use-document-title.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'

/** The chat's title in the header, below the model if there is no room beside it, and the page's heading. An empty chat has its own heading. */
export function ChatTitle({ session }: { session: ChatSession }) {
  const { t } = useText()
  const title = useStore(session.store, (state) => state.title)
  const empty = useStore(session.store, (state) => state.messages.length === 0 && state.loading === 'none')
  useDocumentTitle(empty ? null : title)
  if (empty) return null
  return (
    <h1
      dir="auto"
      className={classNames(
        title === null
          ? 'sr-only'
          : 'pointer-events-none min-w-0 truncate font-normal text-ink-2 max-lg:-mt-1.5 max-lg:px-2.5 max-lg:text-2xs lg:pointer-events-auto lg:text-sm',
      )}
    >
      {title ?? t('chat.thread.label')}
    </h1>
  )
}
