import { Shuffle } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { useModelName } from './use-model-name.ts'

/** Says that a fallback model answers; both models by id. */
export function Fallback({ asked, model }: { asked: string; model: string | null }) {
  const { t } = useText()
  const askedName = useModelName(asked) ?? asked
  const name = useModelName(model) ?? model ?? ''
  return (
    <p role="status" className="mb-3 flex items-center gap-2 text-sm text-ink-2">
      <Shuffle className="size-4 shrink-0 text-warn" />
      {t('thread.fallback', { asked: askedName, model: name })}
    </p>
  )
}
