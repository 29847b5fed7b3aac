import type { ServerPayload } from '@parley/contracts'
import { createContext, useState } from 'react'
import { useServerEvent } from '../../../shared/live/index.ts'

/** What the socket said last of why an answer does not come yet, and when: milliseconds since the epoch. */
export interface HeardDelay extends ServerPayload<'stream:delayed'> {
  readonly at: number
}

/** The last delay of the thread's chat; null before there is one. */
export const DelayContext = createContext<HeardDelay | null>(null)

/** Hears the delays of a chat. That of a new chat may come before the chat has its id here. */
export function useHeardDelay(chatId: string | null): HeardDelay | null {
  const [heard, setHeard] = useState<HeardDelay | null>(null)
  useServerEvent('stream:delayed', (delayed) => {
    if (chatId === null || delayed.chatId === chatId) setHeard({ ...delayed, at: Date.now() })
  })
  return heard?.chatId === chatId ? heard : null
}
