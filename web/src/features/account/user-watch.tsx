import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { hierarchyQuery, profileQuery } from '../../shared/api/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { SuspensionOverlay } from '../../shared/ui/index.ts'
import { followUser } from './follow-user.ts'
import { useSignOut } from './use-sign-out.ts'

/** Keeps the signed-in user up to date: asks once, then listens while the tab can be seen. Covers everything once the user is banned. */
export function UserWatch() {
  const client = useQueryClient()
  const signOut = useSignOut()
  const isAdmin = useSession((state) => state.user?.isAdmin)
  const banned = useSession((state) => state.banned)
  useQuery(profileQuery)
  useEffect(() => {
    // Browsers allow six connections to a host; hidden tabs must not hold them all.
    let control: AbortController | null = null
    const follow = () => {
      control?.abort()
      control = null
      if (document.visibilityState === 'hidden') return
      control = new AbortController()
      void followUser(control.signal, () => void client.invalidateQueries({ queryKey: profileQuery.queryKey }))
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      control?.abort()
    }
  }, [client])
  // biome-ignore lint/correctness/useExhaustiveDependencies: locks of models depend on the right, so its change is the trigger
  useEffect(() => {
    void client.invalidateQueries({ queryKey: hierarchyQuery.queryKey })
  }, [client, isAdmin])
  return banned && <SuspensionOverlay onSignOut={signOut} />
}
