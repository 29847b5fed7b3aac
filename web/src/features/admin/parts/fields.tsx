import type { ComponentProps, InputHTMLAttributes, ReactNode, Ref } from 'react'
import { Chip, classNames } from '../../../shared/ui/index.ts'

/** A text of its own direction in a table cell: it stands on the column's side, and is cut at its own end. */
export const OwnText = ({ children }: { children: ReactNode }) => (
  <bdi className="block w-fit max-w-full truncate">{children}</bdi>
)

/** A status tag in a table row. */
export const Tag = (tag: Omit<ComponentProps<typeof Chip>, 'className'>) => (
  <Chip {...tag} className="h-5 px-2 text-2xs font-normal" />
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
