import type { ChatMode } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { toolsQuery } from '../../../../shared/api/index.ts'
import { useSession } from '../../../../shared/session/index.ts'

/** The modes available in this installation; none for guests. */
export function useModes(): readonly ChatMode[] {
  const signedIn = useSession((state) => state.token !== null)
  const { data } = useQuery({ ...toolsQuery, enabled: signedIn })
  const { webSearch = false, finance = false } = data ?? {}
  const modes = useMemo(() => offered(webSearch, finance), [webSearch, finance])
  return signedIn ? modes : none
}

const none: readonly ChatMode[] = []
const offered = (webSearch: boolean, finance: boolean): readonly ChatMode[] => [
  ...(webSearch ? (['webSearch'] as const) : []),
  'study',
  ...(finance ? (['finance'] as const) : []),
]
