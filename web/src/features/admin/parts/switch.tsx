import { classNames } from '../../../shared/ui/index.ts'
import { useReadOnly } from './read-only.tsx'

interface Props {
  /** The accessible name, which repeats the visible text beside it. */
  readonly label: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A switch that applies immediately. */
export function Switch({ label, checked, disabled = false, onChange }: Props) {
  const isReadOnly = useReadOnly()
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={disabled || isReadOnly}
      onClick={() => onChange(!checked)}
      className={classNames(
        'target inline-flex h-5 w-9 shrink-0 items-center rounded-full border px-0.5 align-middle transition-colors disabled:opacity-50',
        checked ? 'border-brand bg-brand' : 'border-field-line bg-overlay',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'size-3.5 rounded-full transition-transform forced-colors:bg-[ButtonText]',
          checked ? 'translate-x-4 bg-on-brand rtl:-translate-x-4' : 'bg-ink-3',
        )}
      />
    </button>
  )
}
