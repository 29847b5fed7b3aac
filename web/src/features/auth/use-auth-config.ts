import type { AuthConfig } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { authConfigQuery } from '../../shared/api/index.ts'
import { useDelayed } from '../../shared/ui/index.ts'

/** Milliseconds for which a screen waits for it, too short to notice. */
const holdMs = 150

/** The operator's sign-in options; `held` while a screen waits for them, so that they do not shift the form. */
export function useAuthConfig(): { config: AuthConfig | undefined; held: boolean } {
  const { data: config, isPending } = useQuery(authConfigQuery)
  const due = useDelayed(holdMs)
  return { config, held: isPending && !due }
}
