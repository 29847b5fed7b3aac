import { CircleAlert } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classNames } from './class-names.ts'

/** A field's props in addition to its input's attributes. Accepts the result of react-hook-form's `register()`. */
export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  /** The error, announced with the field. */
  readonly error?: string | undefined
  /** A hint below the field, hidden while there is an error. */
  readonly hint?: string
  /** Shown at the end of the label's line. */
  readonly aside?: ReactNode
  /** Shown inside the field, at its end. */
  readonly end?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** A labelled one-line input with error and hint. */
export function TextField({ label, error, hint, aside, end, className, ...input }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className={className}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div
        className={classNames(
          'flex h-11 items-center rounded-card border bg-overlay transition-shadow',
          'focus-within:ring-3 focus-within:ring-brand-weak',
          error ? 'border-danger' : 'border-field-line focus-within:border-brand',
        )}
      >
        <input
          {...input}
          id={id}
          // Digits have no direction of their own; they stand on the label's side.
          dir={/numeric|decimal/.test(input.inputMode ?? '') ? undefined : 'auto'}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          className="h-full min-w-0 flex-1 rounded-card bg-transparent px-3 text-base outline-none placeholder:text-ink-3 max-md:text-[1rem]"
        />
        {end}
      </div>
      {note && (
        <p
          id={`${id}-note`}
          className={classNames('mt-1.5 flex gap-1.5 text-sm', error ? 'text-danger' : 'text-ink-3')}
        >
          {error && <CircleAlert className="mt-0.5 size-3.75 shrink-0" />}
          <span>{note}</span>
        </p>
      )}
    </div>
  )
}
