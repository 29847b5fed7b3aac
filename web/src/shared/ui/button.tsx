import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

const looks = {
  plain: 'border-line-strong hover:bg-hover',
  primary: 'border-transparent bg-brand font-semibold text-on-brand hover:brightness-105',
  danger: 'border-transparent bg-danger font-semibold text-page hover:brightness-105',
  quiet: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
} as const
const sizes = { small: 'h-8 px-3 text-sm', medium: 'h-9 px-3.5', large: 'h-11 px-4 w-full' } as const

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: keyof typeof looks
  readonly size?: keyof typeof sizes
  /** Shows a spinner and ignores clicks, while the button keeps its size and focus. */
  readonly busy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  readonly children: ReactNode
}

/** A button with a text label. */
export function Button({
  look = 'plain',
  size = 'medium',
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classNames(
        'target inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-card border font-medium transition-colors',
        'disabled:cursor-not-allowed disabled:opacity-50',
        looks[look],
        sizes[size],
        className,
      )}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
