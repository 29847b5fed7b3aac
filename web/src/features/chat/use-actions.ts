import type { Feedback } from '@parley/contracts'
import { useMemo, useRef } from 'react'
import type { ChatSession } from './thread/chat-session.ts'
import type { SendOptions, SendResult } from './thread/session-core.ts'

export type { SendOptions, SendResult } from './thread/session-core.ts'

/** What can be done in the shown chat with the chosen model. Rows are named by their `key`. */
export interface ChatActions {
  readonly send: (text: string, options?: SendOptions) => SendResult
  /** Sends a failed message again. */
  readonly resend: (key: string) => void
  /** Makes the last answer anew, or follows it again when only the connection was lost. */
  readonly retry: () => void
  readonly stop: () => void
  /** Puts another version of a user's message in its place and asks for an answer to it; the old version stays. */
  readonly edit: (key: string, text: string) => SendResult
  /** Asks for another version of an answer, by the chosen model unless another is named. */
  readonly regenerate: (key: string, model?: string) => void
  /** Shows the version of the thread that message `messageId` is part of. */
  readonly showVersion: (messageId: string) => void
  /** Says what an answer was worth; null takes it back. */
  readonly rate: (key: string, rating: Feedback['rating'] | null, reason?: string) => void
  /** Has the last answer, which broke off, was stopped or reached its length limit, go on, by the chosen model unless another is named. */
  readonly continueAnswer: (key: string, model?: string) => void
  /** Makes an image from a prompt, with the image model `model` or the installation's. */
  readonly makeImage: (prompt: string, model?: string) => SendResult
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
      send: (text, options) => (latest.current === null ? 'busy' : session.send(text, latest.current, options)),
      resend: (key) => withModel((id) => session.resend(key, id)),
      retry: () => withModel((id) => session.retry(id)),
      stop: session.stop,
      edit: (key, text) => (latest.current === null ? 'busy' : session.edit(key, text, latest.current)),
      regenerate: (key, other) => withModel((id) => session.regenerate(key, other ?? id)),
      showVersion: (messageId) => void session.showVersion(messageId),
      rate: (key, rating, reason) => void session.rate(key, rating, reason),
      continueAnswer: (key, other) => withModel((id) => session.continueAnswer(key, other ?? id)),
      makeImage: (prompt, other) =>
        latest.current === null ? 'busy' : session.makeImage(prompt, latest.current, other),
    }
  }, [session])
}
