import { type MessageId, useText } from '../i18n/index.ts'
import { Spinner } from './spinner.tsx'
import { useDelayed } from './use-delayed.ts'

const loadingTexts = {
  authenticating: 'shared.loading.authenticating',
  admin: 'shared.loading.admin',
  page: 'shared.loading.page',
} as const satisfies Record<string, MessageId>

interface LoadingOverlayProps {
  readonly what?: keyof typeof loadingTexts
  /** Stays invisible for this many milliseconds. */
  readonly delayMs?: number
}

/** Covers the page until something can be shown. */
export function LoadingOverlay({ what = 'page', delayMs = 150 }: LoadingOverlayProps) {
  const { t } = useText()
  const shown = useDelayed(delayMs)
  return (
    <div role="status" data-loading className="fixed inset-0 z-40 grid place-items-center bg-page">
      {shown && (
        <div className="flex items-center gap-3 text-ink-2">
          <Spinner />
          {t(loadingTexts[what])}
        </div>
      )}
    </div>
  )
}
