import type { Message } from '@parley/contracts'
import { isAppError, type Logger, retryWithBackoff } from '@parley/kit'
import type { Connection } from '../sockets/connection.ts'
import { type Answer, type AnswerDeps, followAnswer } from './answer.ts'
import type { ChatReader, ChatRef, LiveChat } from './chat-reader.ts'
import { createMember, type Member } from './member.ts'

export interface RoomDeps extends AnswerDeps {
  readonly chats: ChatReader
  readonly log: Logger
}

/** One chat of one user, and the user's connections that joined it. */
export interface Room {
  /**
   * Sends the chat's state, then every later event. Joining again resends the state.
   * @throws AppError not_found or unavailable; then the connection is not in the room
   */
  join(connection: Connection): Promise<void>
  leave(connection: Connection): void
  /** A message was added, completed or changed. */
  changed(messageId: string): void
  /** An answer began, or this generation continues it. */
  began(messageId: string, generationId?: string): void
  /** Resends the chat's state to all members, because signals may have been missed. */
  renew(): void
  /** Removes all members. */
  close(): void
}

/** @param emptied called when the last member has left */
export function createRoom(deps: RoomDeps, chat: ChatRef, emptied: () => void): Room {
  const { chats, log } = deps
  const { chatId } = chat
  const members = new Map<Connection, Member>()
  const answers = new Map<string, Answer>()
  const closed = new AbortController()
  let order = Promise.resolve()

  const remove = (connection: Connection): void => {
    if (!members.delete(connection) || members.size > 0) return
    closed.abort()
    emptied()
  }
  const answerOf = (messageId: string, streamId = messageId): Answer => {
    const answer = answers.get(streamId) ?? follow(messageId, streamId)
    answers.set(streamId, answer)
    return answer
  }
  const follow = (messageId: string, streamId: string): Answer =>
    followAnswer(deps, {
      chatId,
      messageId,
      streamId,
      isMaking: () => chats.isMaking(chat, streamId),
      signal: closed.signal,
      changed(answer) {
        for (const member of members.values()) member.pump(answer)
      },
      ended(_answer, whole) {
        answers.delete(streamId)
        // The stored message has what the log lacks.
        if (!whole) append(messageId)
      },
    })
  /** Runs one at a time, in the order of the changes; retries until chat answers. */
  const withMessage = (messageId: string, act: (message: Message) => void | Promise<void>): void => {
    const what = 'message of a chat'
    const ask = async (): Promise<void> => {
      const message = await chats.message(chat, messageId)
      if (message !== undefined && !closed.signal.aborted) await act(message)
    }
    order = order.then(() => retryWithBackoff({ what, act: ask, log, signal: closed.signal })).then(() => undefined)
  }
  const emitMessage = (message: Message): void => {
    for (const member of members.values()) {
      member.enqueueAfter(message.id, () => member.connection.emit('msg:append', { chatId, message }))
    }
  }
  const hasLog = async (streamId: string): Promise<boolean> =>
    (await deps.streamLog.state(streamId).catch(() => undefined)) !== undefined
  const append = (messageId: string): void =>
    withMessage(messageId, async (message) => {
      // A running answer is sent as events; its message follows once it has ended.
      if (message.status === 'generating') return
      await failUnbegun(message)
      emitMessage(message)
    })
  /** An answer that failed before its first event has no log that could say so. */
  const failUnbegun = async ({ id, generationId = id, status }: Message): Promise<void> => {
    const answer = answers.get(generationId)
    if (answer === undefined || status === 'complete' || (await hasLog(generationId))) return
    answer.fail()
  }
  const emitLive = (member: Member, live: LiveChat, isNew: boolean): void => {
    const { connection } = member
    const { generating, lastMessageId } = live
    if (isNew)
      connection.emit('joined', { chatId, ...(generating && { generating: { messageId: generating.messageId } }) })
    connection.emit('chat:init', { chatId, lastMessageId, ...(generating && { generating }) })
    const answer = generating && answerOf(generating.messageId, generating.generationId)
    member.release(answer && { answer, seq: generating.lastEventId })
  }
  const renewOne = async (member: Member): Promise<void> => {
    const turn = member.hold()
    const isWanted = (): boolean => members.get(member.connection) === member && member.isLast(turn)
    const act = async (): Promise<void> => {
      if (!isWanted()) return
      try {
        const live = await chats.live(chat)
        if (isWanted()) emitLive(member, live, false)
      } catch (error) {
        if (!isAppError(error, 'not_found')) throw error
        member.connection.emit('chat:error', { chatId, error: error.message, code: error.code })
        remove(member.connection)
      }
    }
    await retryWithBackoff({ what: 'state of a chat', act, log, signal: closed.signal })
  }
  return {
    async join(connection) {
      const member = members.get(connection) ?? createMember(connection)
      // Register first: events between reading the state and sending it are queued, not lost.
      members.set(connection, member)
      const turn = member.hold()
      try {
        const live = await chats.live(chat)
        if (members.get(connection) === member && member.isLast(turn)) emitLive(member, live, true)
      } catch (error) {
        if (members.get(connection) === member) remove(connection)
        throw error
      }
    },
    leave: remove,
    changed: append,
    began(messageId, generationId) {
      withMessage(messageId, async (message) => {
        // A quick answer may have ended already: its events are sent as long as its log exists.
        if (message.status !== 'generating' && !(await hasLog(generationId ?? messageId))) {
          emitMessage(message)
          return
        }
        const answer = answerOf(messageId, generationId)
        for (const member of members.values()) {
          member.enqueue(() => {
            if (!member.isReading(answer.streamId))
              member.connection.emit('msg:append', { chatId, message: begun(message) })
          })
          member.follow(answer)
        }
      })
    },
    renew() {
      for (const member of members.values()) void renewOne(member)
    },
    close() {
      for (const connection of [...members.keys()]) remove(connection)
    },
  }
}

/** The message of an answer without the content that its events will deliver. */
function begun({ id, role, model, parentId, versions, generationId, createdAt }: Message): Message {
  const more = { ...(versions && { versions }), ...(generationId !== undefined && { generationId }) }
  return { id, role, content: '', model, status: 'generating', parentId, ...more, createdAt }
}
