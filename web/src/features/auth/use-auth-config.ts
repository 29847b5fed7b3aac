import type { AuthConfig } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { authConfigQuery } from '../../shared/api/index.ts'
import { useDelayed } from '../../shared/ui/index.ts'

/** Milliseconds for which a screen waits for it; nobody sees so short a wait. */
const holdMs = 150

/** What the operator offers; `held` while a screen waits for it, so that what it offers does not push the form aside. */
export function useAuthConfig(): { config: AuthConfig | undefined; held: boolean } {
  const { data: config, isPending } = useQuery(authConfigQuery)
  const due = useDelayed(holdMs)
  return { config, held: isPending && !due }
}
