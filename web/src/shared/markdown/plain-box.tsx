import type { ReactNode, Ref } from 'react'

export interface BoxProps {
  /** Not all of the answer is drawn yet. */
  readonly busy: boolean
  readonly children: ReactNode
}

export const PlainBox = ({ busy, children, ref }: BoxProps & { readonly ref?: Ref<HTMLDivElement> }) => (
  <div ref={ref} className="markdown" aria-busy={busy || undefined}>
    {children}
  </div>
)
