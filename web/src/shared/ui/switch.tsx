import { type ButtonHTMLAttributes, useId } from 'react'
import { classNames } from './class-names.ts'

interface ControlProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onChange'> {
  readonly checked: boolean
  readonly small?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A toggle, named by `aria-label` or `aria-labelledby`. */
export function SwitchControl({ checked, small = false, onChange, ...button }: ControlProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      {...button}
      onClick={() => onChange(!checked)}
      className={classNames(
        'target inline-flex shrink-0 items-center rounded-full border p-0.5 align-middle transition-colors disabled:cursor-not-allowed disabled:opacity-50',
        small ? 'h-5 w-9' : 'h-6 w-10.5',
        checked ? 'justify-end border-brand bg-brand' : 'border-field-line bg-overlay',
      )}
    >
      <span
        className={classNames(
          'rounded-full forced-colors:bg-[ButtonText]',
          small ? 'size-3.5' : 'size-4.5',
          checked ? 'bg-on-brand' : 'bg-field-line',
        )}
      />
    </button>
  )
}

interface Props {
  readonly label: string
  readonly hint: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A toggle with a label and a hint. */
export function Switch({ label, hint, ...control }: Props) {
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
      <SwitchControl aria-labelledby={id} aria-describedby={`${id}-hint`} {...control} />
    </div>
  )
}
