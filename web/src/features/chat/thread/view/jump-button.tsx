import { ArrowDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { Button } from '../../../../shared/ui/index.ts'
import type { ChatSession } from '../session/chat-session.ts'
import type { ThreadState } from '../state/thread-state.ts'

/** Scrolls to the end of the thread, and indicates new messages. Shown only while the end is out of view. */
export function JumpButton({ session, onJump }: { session: ChatSession; onJump: () => void }) {
  const { t } = useText()
  const unread = useUnread(session)
  return (
    <Button
      size="small"
      onClick={onJump}
      className="absolute start-1/2 bottom-3 z-10 -translate-x-1/2 rounded-full bg-overlay shadow-float rtl:translate-x-1/2"
    >
      <ArrowDown className="size-4" />
      {t('chat.thread.jump')}
      {unread && <span role="img" aria-label={t('thread.jump.unread')} className="size-2 rounded-full bg-brand" />}
    </Button>
  )
}

const endOf = ({ messages, live }: ThreadState): string =>
  `${messages.at(-1)?.key} ${live?.content.length ?? messages.at(-1)?.content.length}`

function useUnread({ store }: ChatSession): boolean {
  const [unread, setUnread] = useState(false)
  useEffect(() => {
    return store.subscribe((state, before) => {
      // Older messages that were only loaded now are not new.
      if (!before.hasNewer && state.position === before.position && endOf(state) !== endOf(before)) setUnread(true)
    })
  }, [store])
  return unread
}
