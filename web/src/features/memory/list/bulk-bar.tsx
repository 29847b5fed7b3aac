import type { MemoryCategory } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, SelectField } from '../../../shared/ui/index.ts'
import { useCategoryOptions } from '../use-category-options.ts'

interface Props {
  readonly count: number
  readonly all: boolean
  readonly onAll: () => void
  readonly onRemove: () => void
  readonly onCategory: (category: MemoryCategory) => void
}

/** Selects everything listed, and acts on the selection. Its height is constant, so that rows do not move. */
export function BulkBar({ count, all, onAll, onRemove, onCategory }: Props) {
  const { t } = useText()
  const options = useCategoryOptions()
  return (
    <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 ps-4 text-sm">
      <label className="target flex cursor-pointer items-center gap-2.5 text-ink-2">
        <input
          type="checkbox"
          checked={all}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !all
          }}
          onChange={onAll}
          className="size-4 accent-(--brand)"
        />
        {count === 0 ? t('memory.select.all') : t('memory.select.count', { count })}
      </label>
      {count > 0 && (
        <div className="ms-auto flex min-w-0 items-center gap-2">
          <SelectField
            isFilter
            label={t('memory.bulk.category')}
            options={[{ name: '', text: t('memory.bulk.category') }, ...options]}
            value=""
            onChange={(category) => category !== '' && onCategory(category)}
            className="w-48 min-w-0"
          />
          <Button size="small" look="danger" onClick={onRemove}>
            {t('memory.bulk.remove')}
          </Button>
        </div>
      )}
    </div>
  )
}
