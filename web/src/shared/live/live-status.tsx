import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from '../ui/index.ts'
import { useLive, useLiveState } from './live-provider.tsx'

/** Milliseconds before a lost connection is reported. */
const noticeDelayMs = 2_000

/** Reports that the network or the server is unreachable, above the thread, which starts below it (`styles.css`). */
export function LiveStatus() {
  const { t } = useText()
  const live = useLive()
  const state = useLiveState()
  const online = useOnline()
  const away = useLasting(state === 'away', noticeDelayMs)
  if (!online) return <Notice>{t('live.offline')}</Notice>
  if (state === 'failed') {
    return (
      <Notice>
        {t('live.failed')}
        <Button size="small" onClick={live.reconnect}>
          {t('live.reconnect')}
        </Button>
      </Notice>
    )
  }
  return away ? <Notice>{t('live.reconnecting')}</Notice> : <div role="status" className="sr-only" />
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      data-notice
      className="pointer-events-none absolute inset-x-0 top-2 z-20 flex justify-center px-4"
    >
      <p className="pointer-events-auto flex items-center gap-2 rounded-[1.25rem] border border-line bg-overlay px-3.5 py-1.5 text-sm text-ink-2 shadow-float">
        <CircleAlert className="size-4 shrink-0 text-warn" />
        {children}
      </p>
    </div>
  )
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
}

/** True once `now` has been true for `ms` milliseconds without interruption. */
function useLasting(now: boolean, ms: number): boolean {
  const [lasted, setLasted] = useState(false)
  useEffect(() => {
    if (!now) return
    const timer = setTimeout(() => setLasted(true), ms)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [now, ms])
  return now && lasted
}
