import type { HierarchyModel } from '@parley/contracts'
import { ChevronsUpDown } from 'lucide-react'
import { useId } from 'react'
import { useText } from '../../../shared/i18n/index.ts'

interface Props {
  readonly label: string
  readonly hint: string
  readonly models: readonly HierarchyModel[]
  /** The id of the chosen model; null leaves the choice to the product. */
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** One model out of those on offer. Locked ones are shown as such and cannot be chosen; one that is gone is still named. */
export function ModelSelect({ label, hint, models, value, onChange }: Props) {
  const { t } = useText()
  const id = useId()
  const gone = value !== null && !models.some((model) => model.id === value)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3.5 md:px-5">
      <div className="min-w-48 flex-1">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      </div>
      <div className="relative w-full md:w-60">
        <select
          id={id}
          aria-describedby={`${id}-hint`}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
          className="h-11 w-full cursor-pointer appearance-none truncate rounded-card border border-field-line bg-overlay ps-3 pe-9 text-base max-md:text-[1rem]"
        >
          <option value="">{t('profile.models.any')}</option>
          {gone && (
            <option value={value} disabled>
              {t('profile.models.gone', { id: value })}
            </option>
          )}
          {models.map((model) => (
            <option key={model.id} value={model.id} disabled={model.locked}>
              {model.locked ? t('profile.models.locked', { name: model.name }) : model.name}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden="true"
          className="pointer-events-none absolute end-3 top-3.5 size-4 text-ink-3"
          strokeWidth={1.6}
        />
      </div>
    </div>
  )
}
