import type { AnswerEnd } from '../../stream/read-answer.ts'
import { type Failure, failureOfEnd, failureOfRefusal } from './failure.ts'
import type { LiveAnswer } from './live-answer.ts'
import { type ThreadMessage, withLive } from './thread-message.ts'
import { draftOf, type ThreadState } from './thread-state.ts'

/** Refusals that leave nothing in the thread: the text returns to the composer. */
const blocking = new Set(['guest_limit_reached', 'insufficient_credits'])
/** A message with a missing file returns, too: only there can the file be removed. */
const hasLostFile = ({ attachments }: ThreadMessage, { code }: Failure): boolean =>
  code === 'not_found' && attachments.length > 0

/** Ends a running answer at time `at`. */
export function endAnswer(state: ThreadState, end: AnswerEnd, at: number): ThreadState {
  const { live } = state
  if (!live) return state
  if (end.type === 'refused') return endRefused(state, live, end)
  if (addsNothing(state, end)) return { ...state, ...withRestored(state, live) }
  const before = state.replaced?.kind === 'part' ? state.replaced.messages[0] : undefined
  return {
    ...state,
    live: null,
    replaced: null,
    messages: state.messages.map((message): ThreadMessage => {
      if (message.key === live.key) return withPart(ended(message, live, end, at), before)
      return message.state === 'saving' ? { ...message, state: 'failed' } : message
    }),
  }
}

/** Whether a continuation failed before adding text: the answer is unchanged. */
export const addsNothing = ({ replaced, live }: ThreadState, end: AnswerEnd): boolean =>
  replaced?.kind === 'part' &&
  end.type !== 'done' &&
  end.type !== 'left' &&
  (live?.content.length ?? 0) <= (replaced.messages[0]?.content.length ?? 0)

/** The thread with the replaced messages restored. */
const withRestored = ({ messages, replaced }: ThreadState, { key }: LiveAnswer) => ({
  messages: [...messages.filter((message) => message.key !== key), ...(replaced?.messages ?? [])],
  live: null,
  replaced: null,
})

/** The row with the usage of the answer before its continuation. */
function withPart(row: ThreadMessage, before: ThreadMessage | undefined): ThreadMessage {
  if (before === undefined || row.usage === null) return row
  const { usage, credits, durationMs } = before
  return {
    ...row,
    usage: {
      inputTokens: row.usage.inputTokens + (usage?.inputTokens ?? 0),
      outputTokens: row.usage.outputTokens + (usage?.outputTokens ?? 0),
      estimated: row.usage.estimated || usage?.estimated === true,
    },
    credits: (row.credits ?? 0) + (credits ?? 0),
    durationMs: (row.durationMs ?? 0) + (durationMs ?? 0),
  }
}

function endRefused(
  state: ThreadState,
  live: LiveAnswer,
  { failure: refusal }: Extract<AnswerEnd, { type: 'refused' }>,
): ThreadState {
  const failure = failureOfRefusal(refusal, state.chatId === null)
  const before = state.messages.filter((message) => message.key !== live.key)
  const rest = { ...state, live: null, replaced: null }
  const isBlocking = blocking.has(failure.code)
  const { kind, messages: back = [] } = state.replaced ?? {}
  if (kind === 'part') return { ...state, ...withRestored(state, live), blocked: isBlocking ? failure : null }
  if (kind === 'answer') {
    const restored = back.map((message, index) => (index === 0 ? { ...message, failure } : message))
    return { ...rest, messages: [...before, ...restored], blocked: isBlocking ? failure : null }
  }
  const sent = before.at(-1)
  if (sent && (isBlocking || hasLostFile(sent, failure))) {
    const messages = [...before.slice(0, -1), ...back]
    return { ...rest, messages, blocked: failure, returned: draftOf(sent) }
  }
  const messages = state.messages.map((message): ThreadMessage => {
    if (message.key === live.key) return { ...message, state: 'error', failure }
    return message === sent ? { ...message, state: 'failed' } : message
  })
  // A refused version is shown below what it would have replaced, to be resent.
  const at = sent ? messages.findIndex(({ key }) => key === sent.key) : messages.length
  return { ...rest, messages: [...messages.slice(0, at), ...back, ...messages.slice(at)] }
}

function ended(row: ThreadMessage, live: LiveAnswer, end: AnswerEnd, at: number): ThreadMessage {
  const message = withLive(row, live)
  const hasText = message.content !== ''
  if (end.type === 'done' && live.outcome) {
    const { usage, credits, finishReason } = live.outcome
    const durationMs = at - live.startedAt
    return { ...message, state: 'complete', usage, credits: credits.charged, durationMs, finishReason }
  }
  const failure = failureOfEnd(end, hasText)
  return { ...message, state: end.type === 'error' && !hasText ? 'error' : 'interrupted', failure }
}
