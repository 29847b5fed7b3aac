import { useId } from 'react'
import { classNames } from './class-names.ts'

interface Props {
  readonly label: string
  readonly hint: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A toggle with a label and a hint. */
export function Switch({ label, hint, checked, disabled = false, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex items-center gap-4 px-4 py-3.5 md:px-5">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        disabled={disabled}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        onClick={() => onChange(!checked)}
        className={classNames(
          'target flex h-6 w-10.5 shrink-0 items-center rounded-full border p-0.5 transition-colors disabled:cursor-not-allowed disabled:opacity-50',
          checked ? 'justify-end border-brand bg-brand' : 'border-field-line bg-overlay',
        )}
      >
        <span
          className={classNames(
            'size-4.5 rounded-full forced-colors:bg-[ButtonText]',
            checked ? 'bg-on-brand' : 'bg-field-line',
          )}
        />
      </button>
    </div>
  )
}
