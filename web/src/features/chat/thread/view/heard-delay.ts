import type { ServerPayload } from '@parley/contracts'
import { createContext, useState } from 'react'
import { useServerEvent } from '../../../../shared/live/index.ts'

/** The last delay reported by the socket, with its time in milliseconds since the epoch. */
export interface HeardDelay extends ServerPayload<'stream:delayed'> {
  readonly at: number
}

/** The last delay in the thread's chat; null before the first. */
export const DelayContext = createContext<HeardDelay | null>(null)

/** Subscribes to delays of a chat. A new chat's first delay may precede its id. */
export function useHeardDelay(chatId: string | null): HeardDelay | null {
  const [heard, setHeard] = useState<HeardDelay | null>(null)
  useServerEvent('stream:delayed', (delayed) => {
    if (chatId === null || delayed.chatId === chatId) setHeard({ ...delayed, at: Date.now() })
  })
  return heard?.chatId === chatId ? heard : null
}
