import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { hierarchyQuery, profileQuery } from '../../shared/api/index.ts'
import { useLive } from '../../shared/live/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { SuspensionOverlay } from '../../shared/ui/index.ts'
import { usePushedChanges } from './use-pushed-changes.ts'
import { useSignOut } from './use-sign-out.ts'

/** Milliseconds between checks whether a ban has ended: banned users get no push events. */
const banPollMs = 5_000

/** Keeps the signed-in user up to date: loads the profile once, then applies push events. Covers everything while the user is banned. */
export function AccountUpdates() {
  const client = useQueryClient()
  const signOut = useSignOut()
  const isAdmin = useSession((state) => state.user?.isAdmin)
  const banned = useSession((state) => state.banned)
  useQuery({ ...profileQuery, refetchInterval: banned && banPollMs })
  useReconnectAfterBan(banned)
  usePushedChanges()
  // biome-ignore lint/correctness/useExhaustiveDependencies: locks of models depend on the right, so its change is the trigger
  useEffect(() => {
    void client.invalidateQueries({ queryKey: hierarchyQuery.queryKey })
  }, [client, isAdmin])
  return banned && <SuspensionOverlay onSignOut={signOut} />
}

/** Reconnects when a ban ends; the server closed the connection with the ban. */
function useReconnectAfterBan(banned: boolean): void {
  const live = useLive()
  const before = useRef(banned)
  useEffect(() => {
    if (before.current && !banned) live.reconnect()
    before.current = banned
  }, [live, banned])
}
