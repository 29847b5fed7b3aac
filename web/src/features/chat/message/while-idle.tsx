import type { ReactNode } from 'react'
import { classNames } from '../../../shared/ui/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { useIsBusy } from './use-thread-state.ts'

/** Hides what cannot be done while an answer is being generated, in its place: a line that wrapped without it would move the thread. What has the focus keeps it. */
export function WhileIdle({ session, children }: { session: ChatSession; children: ReactNode }) {
  const isBusy = useIsBusy(session)
  return <div className={classNames('contents', isBusy && 'invisible focus-within:visible')}>{children}</div>
}
