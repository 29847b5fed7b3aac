import { useStore } from 'zustand'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, Skeleton, TextLink } from '../../../shared/ui/index.ts'
import { useDocumentTitle } from '../../../shared/use-document-title.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { Greeting } from './empty-chat.tsx'
import type { useThreadView } from './use-thread-view.ts'

interface Props {
  readonly session: ChatSession
  readonly guest: boolean
  /** Renders the thread; null while its code is loading. */
  readonly threadView: ReturnType<typeof useThreadView>
  readonly newChat: string
  readonly onQuote: (text: string) => void
  readonly onSuggestion: (text: string) => void
}

/** The thread, or the state shown instead while it is empty, loading or unavailable. */
export function ChatBody({ session, guest, threadView: ThreadView, newChat, ...onPicked }: Props) {
  const empty = useStore(session.store, (state) => state.messages.length === 0)
  const loading = useStore(session.store, (state) => state.loading)
  const position = useStore(session.store, (state) => state.position)
  if (!empty && ThreadView) return <ThreadView key={position} {...{ session, guest, ...onPicked }} />
  if (!empty || loading === 'first') return <LoadingThread />
  if (loading === 'missing') return <MissingThread newChat={newChat} />
  if (loading === 'failed') return <FailedThread onRetry={() => void session.open()} />
  return <Greeting />
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

function MissingThread({ newChat }: { newChat: string }) {
  const { t } = useText()
  useDocumentTitle(t('chat.thread.missing'))
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col items-center justify-center gap-2 px-6 text-center">
      <p className="font-semibold">{t('chat.thread.missing')}</p>
      <p className="text-sm text-ink-2">{t('chat.thread.missingHint')}</p>
      <TextLink to={newChat}>{t('chat.thread.missingNew')}</TextLink>
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
        {t('shared.retry')}
      </Button>
    </div>
  )
}
