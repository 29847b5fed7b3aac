import { ChevronsUpDown } from 'lucide-react'
import { useId } from 'react'
import { classNames } from '../../../shared/ui/index.ts'

interface Props<Name extends string> {
  readonly label: string
  /** Shows the label above the field rather than only naming it. */
  readonly labelled?: boolean
  readonly options: readonly { readonly name: Name; readonly text: string }[]
  readonly value: Name
  readonly onChange: (name: Name) => void
  readonly className?: string
}

/** One of several, as the browser's own list. */
export function Select<Name extends string>({ label, labelled, options, value, onChange, className }: Props<Name>) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className={labelled ? 'mb-1.5 block text-sm font-medium' : 'sr-only'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          // What is offered has these names only.
          onChange={(event) => onChange(event.target.value as Name)}
          className={classNames(
            labelled ? 'h-11' : 'h-9',
            'w-full cursor-pointer appearance-none truncate rounded-card border border-field-line bg-overlay ps-3 pe-8 text-sm',
            'pointer-coarse:h-11 max-md:text-[1rem]',
          )}
        >
          {options.map(({ name, text }) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        <ChevronsUpDown
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 end-2.5 my-auto size-3.5 text-ink-3"
          strokeWidth={1.6}
        />
      </div>
    </div>
  )
}
