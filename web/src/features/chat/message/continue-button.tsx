import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { hierarchyQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { answeringModels } from './regenerate-menu.tsx'

interface Props {
  readonly model: string | null
  readonly guest: boolean
  /** Called with the model that continues, if it is the answer's own. */
  readonly onContinue: (model?: string) => void
}

/** Continues an answer, with its own model if that is available, and shows the price. */
export function ContinueButton({ model, guest, onContinue }: Props) {
  const { t } = useText()
  const { data: groups = [] } = useQuery({ ...hierarchyQuery, select: answeringModels })
  const same = groups.flatMap(({ models }) => models).find(({ id }) => id === model)
  const price = same && !guest ? t('thread.continue.price', { count: same.creditsPerMessage }) : undefined
  return (
    <Button size="small" title={price} onClick={() => onContinue(same?.id)}>
      <ArrowRight className="size-3.5 rtl:-scale-x-100" />
      {t('thread.continue')}
    </Button>
  )
}
