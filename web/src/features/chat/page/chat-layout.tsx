import type { ReactNode } from 'react'
import { classNames } from '../../../shared/ui/index.ts'

interface Props {
  /** There are no messages yet. */
  readonly empty: boolean
  /** Example prompts, shown while it is empty. */
  readonly examples: ReactNode
  /** The thread, or its placeholder, and the composer. */
  readonly children: ReactNode
}

/**
 * Thread above composer. Before the first message the composer is in the middle, below the greeting; on a phone it stays at the bottom, within
 * reach of the thumb and next to the keyboard.
 */
export function ChatLayout({ empty, examples, children }: Props) {
  return (
    <div
      className={classNames(
        'flex min-h-0 flex-1 flex-col',
        // Centred, but slightly above the middle, which looks balanced.
        empty && 'md:overflow-y-auto md:overscroll-contain md:before:flex-1 md:after:flex-[1.4]',
      )}
    >
      {children}
      {empty && (
        <div className="max-md:order-[-1] max-md:mb-auto max-md:min-h-0 max-md:overflow-y-auto px-4 md:px-6 md:pt-5 md:pb-8">
          <div className="mx-auto max-w-dock">{examples}</div>
        </div>
      )}
    </div>
  )
}
