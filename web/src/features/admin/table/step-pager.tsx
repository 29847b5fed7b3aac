import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'

interface Props {
  /** The cursors of the pages after the first that were opened; the last one is shown. */
  readonly trail: readonly string[]
  readonly nextCursor: string | null
  readonly onStep: (trail: readonly string[]) => void
}

/** Buttons to the previous and next page by the server's cursor; nothing if there is only one page. */
export function StepPager({ trail, nextCursor, onStep }: Props) {
  const { t } = useText()
  if (trail.length === 0 && nextCursor === null) return null
  return (
    <nav aria-label={t('admin.table.pages')} className="mt-3 flex items-center justify-end gap-2">
      <Button size="small" disabled={trail.length === 0} onClick={() => onStep(trail.slice(0, -1))}>
        <ChevronLeft className="size-4 rtl:-scale-x-100" />
        {t('admin.table.previous')}
      </Button>
      <Button
        size="small"
        disabled={nextCursor === null}
        onClick={() => nextCursor !== null && onStep([...trail, nextCursor])}
      >
        {t('admin.table.next')}
        <ChevronRight className="size-4 rtl:-scale-x-100" />
      </Button>
    </nav>
  )
}
