import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** A link in running text. */
export function TextLink({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Link to={to} className="rounded-sm text-brand underline underline-offset-2">
      {children}
    </Link>
  )
}
