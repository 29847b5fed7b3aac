import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** A native select with the product's arrow icon. `className` sets its height, width and border. */
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
      <ChevronsUpDown className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4 text-ink-3" />
    </span>
  )
}
