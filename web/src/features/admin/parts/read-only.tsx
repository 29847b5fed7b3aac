import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { Button } from '../../../shared/ui/index.ts'

const ReadOnly = createContext(false)

/** Whether the shown values are outdated because their service is unavailable, so that they must not be edited. */
export const useReadOnly = (): boolean => useContext(ReadOnly)

/** Disables the actions on the values of a query while these cannot be loaded. */
export const ActsOn = ({ query, children }: { query: { readonly error: unknown }; children: ReactNode }) => (
  <ReadOnly value={Boolean(query.error)}>{children}</ReadOnly>
)

/** A button that acts on the values around it; disabled while they are read-only. */
export function ActButton({ disabled = false, ...button }: ComponentProps<typeof Button>) {
  const isReadOnly = useReadOnly()
  return <Button {...button} disabled={disabled || isReadOnly} />
}
