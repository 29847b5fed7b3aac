import { useStore } from 'zustand'
import { useText } from '../../shared/i18n/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { Button, Skeleton } from '../../shared/ui/index.ts'
import { EmptyChat } from './empty-chat.tsx'
import type { ChatSession } from './thread/chat-session.ts'
import type { ChatActions } from './use-actions.ts'
import type { useThreadView } from './use-thread-view.ts'

interface Props {
  readonly session: ChatSession
  readonly guest: boolean
  readonly actions: ChatActions
  /** Draws the thread; null while its code is on its way. */
  readonly threadView: ReturnType<typeof useThreadView>
  /** Puts an example prompt into the composer. */
  readonly onStart: (prompt: string) => void
}

/** The thread, or what stands in its place while it is empty, on its way or out of reach. */
export function ChatBody({ session, guest, actions, threadView: ThreadView, onStart }: Props) {
  const name = useSession((state) => state.user?.displayName ?? state.user?.username ?? null)
  const empty = useStore(session.store, (state) => state.messages.length === 0)
  const loading = useStore(session.store, (state) => state.loading)
  const position = useStore(session.store, (state) => state.position)
  if (!empty && ThreadView) return <ThreadView key={position} session={session} guest={guest} actions={actions} />
  if (!empty || loading === 'first') return <LoadingThread />
  if (loading === 'missing') return <MissingThread />
  if (loading === 'failed') return <FailedThread onRetry={() => void session.open()} />
  return <EmptyChat name={name} onStart={onStart} />
}

function LoadingThread() {
  return (
    <div className="min-h-0 flex-1 overflow-hidden px-4 pt-7 md:px-6">
      <div className="mx-auto max-w-measure">
        <div className="ms-auto w-2/3">
          <Skeleton widths={['100%', '70%']} />
        </div>
        <div className="mt-10">
          <Skeleton widths={['95%', '100%', '88%', '92%', '40%']} />
        </div>
      </div>
    </div>
  )
}

function MissingThread() {
  const { t } = useText()
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col items-center justify-center gap-2 px-6 text-center">
      <p className="font-semibold">{t('chat.thread.missing')}</p>
      <p className="text-sm text-ink-2">{t('chat.thread.missingHint')}</p>
    </div>
  )
}

function FailedThread({ onRetry }: { onRetry: () => void }) {
  const { t } = useText()
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col items-center justify-center gap-2 px-6 text-center">
      <p className="font-semibold">{t('chat.thread.loadFailed')}</p>
      <p className="text-sm text-ink-2">{t('chat.thread.loadFailedHint')}</p>
      <Button className="mt-3" onClick={onRetry}>
        {t('chat.thread.tryAgain')}
      </Button>
    </div>
  )
}
