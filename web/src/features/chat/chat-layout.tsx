import type { ReactNode } from 'react'
import { classNames } from '../../shared/ui/index.ts'

interface Props {
  /** There is no message yet. */
  readonly empty: boolean
  /** Prompts to begin with; shown while it is empty. */
  readonly examples: ReactNode
  /** The thread, or what stands in its place, and the composer. */
  readonly children: ReactNode
}

/**
 * Thread above composer. Until the first message the composer stands in the middle, below the greeting; on a phone it stays at the bottom, where the
 * thumb and the keyboard are.
 */
export function ChatLayout({ empty, examples, children }: Props) {
  return (
    <div
      className={classNames(
        'flex min-h-0 flex-1 flex-col',
        // Above and below it as much room, but a little more below, where the eye expects it.
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
