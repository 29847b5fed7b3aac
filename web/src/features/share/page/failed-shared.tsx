import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { Failure } from './failure.ts'

interface Props {
  readonly failure: Extract<Failure, { kind: 'text' }>
  readonly busy: boolean
  readonly onRetry: () => void
}

/** Says why a shared chat is not shown, and offers what may help. */
export function FailedShared({ failure, busy, onRetry }: Props) {
  const { t } = useText()
  return (
    <div role="alert" className="flex flex-col items-start gap-2 pt-16">
      <h1 className="text-2xl font-semibold tracking-tight">{t('share.failure.title')}</h1>
      <p className="text-ink-2">{t(failure.id, failure.values)}</p>
      {!failure.canRetry && <p className="text-sm text-ink-3">{t('share.failure.invalidHint')}</p>}
      <div className="mt-4 flex gap-3">
        {failure.canRetry ? (
          <Button busy={busy} onClick={onRetry}>
            {t('shared.retry')}
          </Button>
        ) : (
          <a
            href="/"
            className="target inline-flex h-9 items-center rounded-card border border-line-strong px-3.5 font-medium hover:bg-hover"
          >
            {t('share.failure.home')}
          </a>
        )}
      </div>
    </div>
  )
}
