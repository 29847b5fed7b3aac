import { useId } from 'react'
import { classNames } from './class-names.ts'

interface Props<Name extends string> {
  readonly label: string
  readonly options: readonly { readonly name: Name; readonly text: string }[]
  readonly value: Name
  readonly onChange: (name: Name) => void
}

/** A segmented control with a few options. */
export function Choice<Name extends string>({ label, options, value, onChange }: Props<Name>) {
  const group = useId()
  return (
    <fieldset className="flex w-fit rounded-card border border-line p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(({ name, text }) => (
        <label
          key={name}
          className={classNames(
            'target flex h-7 cursor-pointer items-center rounded-row px-2.5 text-sm whitespace-nowrap',
            'has-focus-visible:outline-2 has-focus-visible:outline-brand',
            name === value ? 'bg-active font-medium text-ink' : 'text-ink-2 hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={group}
            checked={name === value}
            onChange={() => onChange(name)}
            className="sr-only"
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
