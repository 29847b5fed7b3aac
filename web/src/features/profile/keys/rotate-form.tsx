import { useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'

/** Selectable minutes for which the old secret remains valid. */
const overlaps = { none: 0, hour: 60, day: 1_440, week: 10_080 } as const
type Overlap = keyof typeof overlaps

interface Props {
  readonly busy: boolean
  readonly onRotate: (overlapMinutes: number) => void
  readonly onCancel: () => void
}

/** Asks how long a key's old secret remains valid. */
export function RotateForm({ busy, onRotate, onCancel }: Props) {
  const { t } = useText()
  const name = useId()
  const [chosen, choose] = useState<Overlap>('hour')
  return (
    <>
      <p className="mb-4 text-ink-2">{t('keys.rotate.text')}</p>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{t('keys.rotate.overlap')}</legend>
        {(Object.keys(overlaps) as Overlap[]).map((overlap) => (
          <label key={overlap} className="flex min-h-9 cursor-pointer items-center gap-2.5 pointer-coarse:min-h-11">
            <input
              type="radio"
              name={name}
              checked={overlap === chosen}
              onChange={() => choose(overlap)}
              className="size-4 accent-brand"
            />
            {t(`keys.overlap.${overlap}`)}
          </label>
        ))}
      </fieldset>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button look="primary" busy={busy} onClick={() => onRotate(overlaps[chosen])}>
          {t('keys.action.rotate')}
        </Button>
      </div>
    </>
  )
}
