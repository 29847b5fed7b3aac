import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { hierarchyQuery, profileQuery } from '../../shared/api/index.ts'
import { useLive } from '../../shared/live/index.ts'
import { useSession } from '../../shared/session/index.ts'
import { SuspensionOverlay } from '../../shared/ui/index.ts'
import { usePushedChanges } from './use-pushed-changes.ts'
import { useSignOut } from './use-sign-out.ts'

/** Milliseconds between two looks at whether a ban is over: nothing is pushed to who is banned. */
const banPollMs = 5_000

/** Keeps the signed-in user up to date: asks once, then takes in what the server pushes. Covers everything while the user is banned. */
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

/** Opens the live connection again when a ban is over; the server closed it with the ban. */
function useReconnectAfterBan(banned: boolean): void {
  const live = useLive()
  const before = useRef(banned)
  useEffect(() => {
    if (before.current && !banned) live.reconnect()
    before.current = banned
  }, [live, banned])
}
