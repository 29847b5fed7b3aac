import type { ServerPayload } from '@parley/contracts'
import type { AnswerStep } from '../../stream/answer-event.ts'
import { type LiveAnswer, reduceAnswer } from './live-answer.ts'
import type { ThreadMessage } from './thread-message.ts'
import type { Replaced, ThreadState } from './thread-state.ts'

/** A created chat, with the client id of its first message. */
export type Begun = Pick<ServerPayload<'chat:update'>, 'chatId' | 'title' | 'clientMessageId'>

/** Applies steps of the running answer from a stream or the socket, received at time `at`. */
export function takeSteps(state: ThreadState, steps: readonly AnswerStep[], at: number): ThreadState {
  if (!state.live) return state
  const live = steps.reduce((answer, step) => reduceAnswer(answer, step, at), state.live)
  if (live === state.live) return state
  if (live.messageId === state.live.messageId || !live.messageId) return { ...state, live }
  return acceptStart({ ...state, live }, live)
}

/** Records that the message with this id has created the chat; its answer is still awaited. */
export function takeBegun(state: ThreadState, { chatId, title, clientMessageId }: Begun): ThreadState {
  const messages = state.messages.map((message): ThreadMessage => {
    const isStored = message.clientMessageId === clientMessageId && message.state === 'saving'
    return isStored ? { ...message, state: 'sent' } : message
  })
  return { ...state, messages, chatId, title: title ?? state.title }
}

function acceptStart(state: ThreadState, live: LiveAnswer): ThreadState {
  const at = state.messages.findIndex((message) => message.key === live.key)
  const { messageId, userMessageId } = live
  const isPart = state.replaced?.kind === 'part'
  const messages = state.messages.map((message, index): ThreadMessage => {
    if (index === at) {
      const parentId = userMessageId ?? message.parentId
      const versions = isPart ? message.versions : withVersion(state.replaced, 'answer', messageId)
      const model = live.model ?? message.model
      return {
        ...message,
        id: messageId,
        model,
        insteadOf: model === message.model ? null : message.model,
        parentId,
        versions,
      }
    }
    if (isPart || index !== at - 1 || message.role !== 'user') return message
    const versions = withVersion(state.replaced, 'question', userMessageId)
    return { ...message, id: userMessageId ?? message.id, state: 'sent', failure: null, versions }
  })
  const { chatId, title } = live
  // Nothing follows a new version.
  const hasNewer = state.hasNewer && state.replaced === null
  return { ...state, messages, hasNewer, chatId: chatId ?? state.chatId, title: title ?? state.title, archived: false }
}

/** All versions including `id`; empty when nothing of this kind was replaced. */
export function withVersion(replaced: Replaced | null, kind: Replaced['kind'], id: string | null): readonly string[] {
  const old = replaced?.kind === kind ? replaced.messages[0] : undefined
  if (!old?.id || id === null) return []
  return [...(old.versions.length > 0 ? old.versions : [old.id]), id]
}
