import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { Button } from '../../../shared/ui/index.ts'

const ReadOnly = createContext(false)

/** True where the last values of a service stand that cannot be asked now: nothing is changed by them. */
export const useReadOnly = (): boolean => useContext(ReadOnly)

/** What can be done with the values of a query: nothing while they cannot be loaded. */
export const ActsOn = ({ query, children }: { query: { readonly error: unknown }; children: ReactNode }) => (
  <ReadOnly value={Boolean(query.error)}>{children}</ReadOnly>
)

/** A button that changes something of the values around it. */
export function ActButton({ disabled = false, ...button }: ComponentProps<typeof Button>) {
  const isReadOnly = useReadOnly()
  return <Button {...button} disabled={disabled || isReadOnly} />
}
