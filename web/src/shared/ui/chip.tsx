import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

const tones = {
  plain: 'border-line text-ink-2',
  on: 'border-transparent bg-brand-weak text-brand',
  warn: 'border-transparent bg-warn-weak text-warn',
  danger: 'border-transparent bg-danger-weak text-danger',
} as const

/** A small rounded label. */
export function Chip({
  tone = 'plain',
  className,
  children,
}: {
  tone?: keyof typeof tones
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-6.5 items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 text-sm',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
