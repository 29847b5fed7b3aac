import { Search } from 'lucide-react'
import type { ReactNode } from 'react'

/** Maximum UTF-16 units of a query. */
export const maxQuery = 200

export const fieldLook = 'h-13 min-w-0 flex-1 bg-transparent text-[1rem] outline-none placeholder:text-ink-3'

export function FieldBox({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-2.5 border-line border-b px-4">
      <Search className="size-4.5 shrink-0 text-ink-3" />
      {children}
    </div>
  )
}
