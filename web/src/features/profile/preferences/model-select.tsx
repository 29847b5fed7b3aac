import type { HierarchyModel } from '@parley/contracts'
import { useId } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Select } from '../../../shared/ui/index.ts'

interface Props {
  readonly label: string
  readonly hint: string
  readonly models: readonly HierarchyModel[]
  /** The id of the selected model; null leaves the choice to the product. */
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

/** A select of the available models. Locked ones are marked and disabled; a removed one is still named. */
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
      <div className="w-full md:w-60">
        <Select
          id={id}
          aria-describedby={`${id}-hint`}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
          className="h-11 w-full border-field-line text-base"
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
        </Select>
      </div>
    </div>
  )
}
