import { messageOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/index.ts'

/** Shows inside a `Box` why loading failed, with a retry. */
export function LoadFailure(props: { error: unknown; fallback: string; onRetry: () => unknown }) {
  const { t } = useText()
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 p-4 text-ink-2 md:px-5">
      {messageOf(props.error, props.fallback)}
      <Button size="small" onClick={() => void props.onRetry()}>
        {t('profile.retry')}
      </Button>
    </p>
  )
}
