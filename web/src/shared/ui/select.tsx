import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** The browser's own list of choices, with an arrow of the product's icons. `className` gives its height, width and border. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        {...props}
        className={classNames(
          'cursor-pointer appearance-none truncate rounded-card border bg-overlay ps-3 pe-9 max-md:text-[1rem]',
          className,
        )}
      />
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-ink-3"
        strokeWidth={1.6}
      />
    </span>
  )
}
