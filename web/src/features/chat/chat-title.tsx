import { useStore } from 'zustand'
import { useText } from '../../shared/i18n/index.ts'
import { classNames } from '../../shared/ui/index.ts'
import { useDocumentTitle } from '../../shared/use-document-title.ts'
import type { ChatSession } from './thread/chat-session.ts'

/** The chat's title in the header, and the page's heading; narrow windows have no room to show it. An empty chat has a heading of its own. */
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
        'sr-only',
        title !== null && 'min-w-0 text-sm font-normal text-ink-2 lg:not-sr-only lg:truncate',
      )}
    >
      {title ?? t('chat.thread.label')}
    </h1>
  )
}
