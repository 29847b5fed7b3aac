import { useId } from 'react'
import { classNames, Select as SelectField } from '../../../shared/ui/index.ts'

interface Props<Name extends string> {
  readonly label: string
  /** Shows the label above the field rather than only as its accessible name. */
  readonly labelled?: boolean
  readonly options: readonly { readonly name: Name; readonly text: string }[]
  readonly value: Name
  readonly onChange: (name: Name) => void
  readonly className?: string
}

/** A native select. */
export function Select<Name extends string>({ label, labelled, options, value, onChange, className }: Props<Name>) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className={labelled ? 'mb-1.5 block text-sm font-medium' : 'sr-only'}>
        {label}
      </label>
      <SelectField
        id={id}
        value={value}
        // Options have only these names.
        onChange={(event) => onChange(event.target.value as Name)}
        className={classNames(labelled ? 'h-11' : 'h-9', 'w-full border-field-line text-sm pointer-coarse:h-11')}
      >
        {options.map(({ name, text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
