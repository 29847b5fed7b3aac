import type { SharedChat } from '@parley/contracts'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../shared/api/error.ts'
import { request } from '../../../shared/api/request.ts'
import { sharedChatEndpoints } from '../../../shared/api/shared-chat-endpoints.ts'
import { LaterTexts, useText } from '../../../shared/i18n/index.ts'
import { retryImport } from '../../../shared/lazy/index.ts'
import { PictureViewer } from '../../../shared/pictures/index.ts'
import { usePrinting } from '../../../shared/printing.ts'
import { getSession, rememberReturnPath } from '../../../shared/session/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SharedThread } from '../shared-thread.tsx'
import { useFirstMessages } from './use-first-messages.ts'
import type { Shared } from './use-shared-chat.ts'

export { prepareMath } from '../../../shared/markdown/math-context.ts'

interface Props {
  readonly id: string
  readonly shared: Shared
  readonly chat: SharedChat
  readonly hasMore: boolean
}

/** The messages of a shared chat and what can be done with them. */
export function SharedBody({ id, shared, chat, hasMore }: Props) {
  const { t } = useText()
  const printing = usePrinting()
  const { shown, atFirst } = useFirstMessages(chat.messages)
  const complete = shown === chat.messages
  const print = async () => {
    await shared.readAll()
    const { printPage } = await retryImport(() => import('../../../shared/print-page.ts'))
    await printPage()
  }
  return (
    <LaterTexts part="deferred">
      <PictureViewer />
      <SharedThread messages={printing ? chat.messages : shown} steady={atFirst} whole={printing} />
      {hasMore && complete && <MoreMessages busy={shared.busy} byHand={shared.stalled} onMore={shared.readMore} />}
      <div className="mt-10 flex flex-wrap gap-3 print:hidden">
        <ContinueButton id={id} headers={shared.headers} />
        <Button onClick={() => void print()}>{t('share.print')}</Button>
      </div>
    </LaterTexts>
  )
}

/** Reads the next page before its reader gets there. */
function MoreMessages({ busy, byHand, onMore }: { busy: boolean; byHand: boolean; onMore: () => Promise<void> }) {
  const { t } = useText()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const sentinel = ref.current
    if (!sentinel || busy || byHand) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void onMore()
      },
      { rootMargin: '1500px' },
    )
    observer.observe(sentinel)
    return () => observer.disconnect()
  }, [busy, byHand, onMore])
  return (
    <div ref={ref} className="mt-8 flex justify-center print:hidden">
      <Button busy={busy} onClick={() => void onMore()}>
        {t('share.more')}
      </Button>
    </div>
  )
}

/** Copies the chat into the visitor's account, once they have signed in. */
function ContinueButton({ id, headers }: { id: string; headers: Readonly<Record<string, string>> }) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  const signedIn = getSession().token !== null
  const go = async () => {
    if (!signedIn) {
      rememberReturnPath(`/s/${id}`)
      location.assign('/login')
      return
    }
    setBusy(true)
    setFailure(null)
    try {
      const { chatId } = await request(sharedChatEndpoints.continueShare, { params: { id }, headers })
      location.assign(`/c/${encodeURIComponent(chatId)}`)
    } catch (error) {
      setFailure({ error })
      setBusy(false)
    }
  }
  return (
    <div>
      <Button look="primary" busy={busy} onClick={() => void go()}>
        {t(signedIn ? 'share.continue' : 'share.continueSignedOut')}
      </Button>
      {failure && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {messageOf(failure.error, t('share.continueFailed'))}
        </p>
      )}
    </div>
  )
}
