import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classNames, Select } from '../../../shared/ui/index.ts'

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly onChange: (value: string) => void
  /** In a bar of filters, where its label is for screen readers only. */
  readonly isFilter?: boolean
}

/** A labelled select. */
export function SelectField({ label, value, options, onChange, isFilter = false }: SelectProps) {
  const id = useId()
  return (
    <div className="relative">
      <label htmlFor={id} className={isFilter ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
      </label>
      <Select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={
          isFilter ? 'h-9 max-w-60 border-line-strong hover:bg-hover' : 'h-11 w-full border-field-line text-base'
        }
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </Select>
    </div>
  )
}

const tones = {
  plain: 'border-line text-ink-2',
  on: 'border-transparent bg-brand-weak text-brand',
  warn: 'border-transparent bg-warn-weak text-warn',
  danger: 'border-transparent bg-danger-weak text-danger',
} as const

/** A text of its own direction in a table cell: it stands on the column's side, and is cut at its own end. */
export const OwnText = ({ children }: { children: ReactNode }) => (
  <bdi className="block w-fit max-w-full truncate">{children}</bdi>
)

/** A status tag in a table row. */
export const Tag = ({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) => (
  <span
    className={classNames(
      'inline-block rounded-full border px-2 py-px text-2xs font-normal whitespace-nowrap',
      tones[tone],
    )}
  >
    {children}
  </span>
)

/** A bar of the used or remaining share; the number is beside it. */
export const Meter = ({ share, isUsed = false }: { share: number; isUsed?: boolean }) => (
  <span
    aria-hidden="true"
    className="ms-2 inline-block h-1 w-14 overflow-hidden rounded-full bg-line-strong align-middle"
  >
    <span
      className={classNames('block h-full', (isUsed ? share > 0.9 : share < 0.1) ? 'bg-warn' : 'bg-brand')}
      style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }}
    />
  </span>
)

interface CheckProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string
  readonly ref?: Ref<HTMLInputElement>
}

/** A checkbox with its label. `register()` of react-hook-form can be spread into it. */
export const CheckField = ({ label, ...input }: CheckProps) => (
  <label className="flex items-center gap-2.5">
    <input type="checkbox" {...input} className="size-4 shrink-0 accent-(--brand)" />
    {label}
  </label>
)
