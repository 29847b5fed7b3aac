import { CircleAlert } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classNames } from './class-names.ts'

/** What a field has besides its input's own attributes. `register()` of react-hook-form spreads into it. */
export interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  /** What is wrong with it; announced with the field. */
  readonly error?: string | undefined
  /** What to enter, below the field while there is no error. */
  readonly hint?: string
  /** Stands at the end of the label's line. */
  readonly aside?: ReactNode
  /** Stands inside the field, at its end. */
  readonly end?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

/** A labelled one-line input with its error and hint. */
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
          dir="auto"
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
          {error && <CircleAlert aria-hidden="true" className="mt-0.5 size-3.75 shrink-0" strokeWidth={1.6} />}
          <span>{note}</span>
        </p>
      )}
    </div>
  )
}
