import type { Feedback } from '@parley/contracts'
import { useMemo, useRef } from 'react'
import type { ChatSession } from './thread/session/chat-session.ts'
import type { SendOptions, SendResult } from './thread/session/session-core.ts'

export type { SendOptions, SendResult } from './thread/session/session-core.ts'

/** Actions on the open chat with the selected model. Rows are identified by `key`. */
export interface ChatActions {
  readonly send: (text: string, options?: SendOptions) => SendResult
  /** Resends a failed message. */
  readonly resend: (key: string) => void
  /** Regenerates the last answer, or resumes following it if only the connection was lost. */
  readonly retry: () => void
  readonly stop: () => void
  /** Replaces a user's message with a new version and requests an answer; the old version is kept. */
  readonly edit: (key: string, text: string) => SendResult
  /** Requests another version of an answer, by default with the selected model. */
  readonly regenerate: (key: string, model?: string) => void
  /** Shows the version of the thread that contains message `messageId`. */
  readonly showVersion: (messageId: string) => void
  /** Rates an answer; null withdraws the rating. */
  readonly rate: (key: string, rating: Feedback['rating'] | null, reason?: string) => void
  /** Continues the last answer after it broke off, was stopped or reached its length limit, by default with the selected model. */
  readonly continueAnswer: (key: string, model?: string) => void
  /** Generates an image from a prompt, with the image model `model` or the installation's default. */
  readonly makeImage: (prompt: string, model?: string) => SendResult
}

/** A session's actions; stable while another model is selected, so that rows need not re-render. */
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
