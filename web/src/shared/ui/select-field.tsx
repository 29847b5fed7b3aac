import { useId } from 'react'
import { classNames } from './class-names.ts'
import { Select } from './select.tsx'

interface Props<Name extends string> {
  readonly label: string
  readonly options: readonly { readonly name: Name; readonly text: string }[]
  readonly value: Name
  readonly onChange: (name: Name) => void
  /** Among other filters, where its label is for screen readers only. */
  readonly isFilter?: boolean
  readonly className?: string
}

/** A labelled select. */
export function SelectField<Name extends string>(props: Props<Name>) {
  const { label, options, value, onChange, isFilter = false, className } = props
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className={isFilter ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      <Select
        id={id}
        value={value}
        // Options have only these names.
        onChange={({ target }) => onChange(target.value as Name)}
        className={classNames('w-full border-field-line', isFilter ? 'h-9 pointer-coarse:h-11' : 'h-11 text-base')}
      >
        {options.map(({ name, text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}
