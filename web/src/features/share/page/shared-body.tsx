import type { SharedChat } from '@parley/contracts'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../shared/api/error.ts'
import { LaterTexts, useText } from '../../../shared/i18n/index.ts'
import { retryImport } from '../../../shared/lazy/index.ts'
import { PictureViewer } from '../../../shared/pictures/index.ts'
import { usePrinting } from '../../../shared/printing.ts'
import { getSession } from '../../../shared/session/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { SharedThread } from '../shared-thread.tsx'
import { useFirstMessages } from './use-first-messages.ts'
import type { Shared } from './use-shared-chat.ts'

export { loadMath } from '../../../shared/markdown/math-loader.ts'

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
  return (
    <LaterTexts part="deferred">
      <PictureViewer />
      <SharedThread messages={printing ? chat.messages : shown} steady={atFirst} whole={printing} />
      {hasMore && complete && <MoreMessages busy={shared.busy} byHand={shared.stalled} onMore={shared.readMore} />}
      <div className="mt-10 flex flex-wrap gap-3 print:hidden">
        <Action
          look="primary"
          label={t(getSession().token === null ? 'share.continueSignedOut' : 'share.continue')}
          failed={t('share.continueFailed')}
          act={async () => (await retryImport(() => import('./continue-share.ts'))).continueShare(id, shared.headers)}
        />
        <Action
          label={t('share.print')}
          failed={t('share.printFailed')}
          act={async (button) =>
            (await retryImport(() => import('./print-shared.ts'))).printShared(
              shared.readMore,
              () => button.isConnected,
            )
          }
        />
      </div>
    </LaterTexts>
  )
}

/** Reads the next page before its reader gets there. */
function MoreMessages({ busy, byHand, onMore }: { busy: boolean; byHand: boolean; onMore: () => Promise<unknown> }) {
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

interface ActionProps {
  readonly label: string
  /** The text after a failure without a reason. */
  readonly failed: string
  readonly look?: 'primary'
  /** Resolves to whether the page is being left. */
  readonly act: (button: Element) => Promise<boolean>
}

/** A button, and why what it does has failed. */
function Action({ label, failed, look, act }: ActionProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  const go = async (button: Element) => {
    setBusy(true)
    setFailure(null)
    try {
      setBusy(await act(button))
    } catch (error) {
      setFailure({ error })
      setBusy(false)
    }
  }
  return (
    <div>
      <Button look={look} busy={busy} onClick={({ currentTarget }) => void go(currentTarget)}>
        {label}
      </Button>
      {failure && (
        <p role="alert" className="mt-2 text-sm text-danger">
          {messageOf(failure.error, failed)}
        </p>
      )}
    </div>
  )
}
