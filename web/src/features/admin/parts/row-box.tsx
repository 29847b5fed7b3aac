import type { ReactNode } from 'react'
import { Box } from '../../../shared/ui/index.ts'

/** A box around rows with lines between them; says that there are none. */
export const RowBox = ({ empty, children }: { empty: string; children: readonly ReactNode[] }) =>
  children.length === 0 ? (
    <Box>
      <p className="text-ink-2">{empty}</p>
    </Box>
  ) : (
    <Box className="">
      <ul className="divide-y divide-line">{children}</ul>
    </Box>
  )
