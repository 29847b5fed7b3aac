import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** The accessible name and tooltip. */
  readonly label: string
  readonly size?: 'small' | 'medium'
  readonly children: ReactNode
}

/** A square button with one icon. */
export function IconButton({ label, size = 'medium', className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classNames(
        'target grid shrink-0 place-items-center rounded-card text-ink-2 transition-colors hover:bg-hover hover:text-ink',
        'disabled:cursor-not-allowed disabled:opacity-40 aria-pressed:bg-active aria-pressed:text-ink',
        size === 'small' ? 'size-7' : 'size-9',
        className,
      )}
    >
      {children}
    </button>
  )
}
