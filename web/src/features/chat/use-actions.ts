import { useMemo, useRef } from 'react'
import type { ChatSession } from './thread/chat-session.ts'

/** What can be done in the shown chat with the chosen model. */
export interface ChatActions {
  readonly send: (text: string, force?: boolean) => ReturnType<ChatSession['send']>
  readonly resend: (key: string) => void
  readonly retry: () => void
  readonly stop: () => void
}

/** The actions of a session; they stay the same objects while another model is chosen, so that rows need not draw again. */
export function useActions(session: ChatSession, model: string | null): ChatActions {
  const latest = useRef(model)
  latest.current = model
  return useMemo(() => {
    const withModel = (act: (model: string) => void) => {
      if (latest.current !== null) act(latest.current)
    }
    return {
      send: (text, force = false) => (latest.current === null ? 'busy' : session.send(text, latest.current, { force })),
      resend: (key) => withModel((id) => session.resend(key, id)),
      retry: () => withModel((id) => session.retry(id)),
      stop: session.stop,
    }
  }, [session])
}
