import type { ReactNode } from 'react'

/** The bordered box around rows, figures or fields. */
export function Box({ className = 'p-4 md:p-5', children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-card border border-line ${className}`}>{children}</div>
}
