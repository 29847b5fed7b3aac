import { messageOf } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'

/** Shows why loading failed, with a retry. */
export function LoadFailure({
  error,
  fallback,
  onRetry,
}: {
  error: unknown
  fallback: string
  onRetry: () => unknown
}) {
  const { t } = useText()
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 rounded-card border border-line p-4 text-ink-2">
      {messageOf(error, fallback)}
      <Button size="small" onClick={() => void onRetry()}>
        {t('memory.retry')}
      </Button>
    </p>
  )
}
