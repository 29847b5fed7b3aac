import type { Message } from '@parley/contracts'
import { isAppError, isUnavailable, type Logger, retryWithBackoff, unavailable } from '@parley/kit'
import type { Connection } from '../sockets/connection.ts'
import type { AnswerDeps } from './answer.ts'
import type { ChatReader, ChatRef, LiveChat } from './chat-reader.ts'
import { createMember, type Member } from './member.ts'
import { createMessageQueue } from './message-queue.ts'
import { createRoomAnswers } from './room-answers.ts'

export interface RoomDeps extends AnswerDeps {
  readonly chats: ChatReader
  readonly log: Logger
}

/** One chat of one user, and the user's connections that joined it. */
export type Room = ReturnType<typeof createRoom>

/** Milliseconds before a message is read that only its sender's connections wait for: they show it already, while its answer is being started. */
const mutedPauseMs = 250

interface RoomListener {
  /** The last member has left. */
  emptied(): void
  /** The room has removed a connection, because its chat cannot be read any more. */
  removed(connection: Connection): void
}

/** A room without members. */
export function createRoom(deps: RoomDeps, chat: ChatRef, { emptied, removed }: RoomListener) {
  const { chats, log } = deps
  const { chatId } = chat
  const members = new Map<Connection, Member>()
  /** Connections that have asked to join and are not told yet that they have. */
  const joining = new Set<Connection>()
  const closed = new AbortController()

  const remove = (connection: Connection): void => {
    joining.delete(connection)
    if (!members.delete(connection) || members.size > 0) return
    closed.abort()
    emptied()
  }
  const areMuted = (): boolean => [...members.values()].every((member) => member.isMuted())
  const append = (messageId: string): void => {
    const act = async (message: Message): Promise<void> => {
      // A running answer is sent as events; its message follows once it has ended.
      if (message.status === 'generating') return
      await answers.failUnbegun(message)
      emitMessage(message)
    }
    messages.take(messageId, act, areMuted() ? mutedPauseMs : 0)
  }
  const messages = createMessageQueue(deps, chat, closed.signal)
  const answers = createRoomAnswers(deps, chat, {
    signal: closed.signal,
    changed(answer) {
      for (const member of members.values()) member.pump(answer)
    },
    incomplete: append,
  })
  const emitMessage = (message: Message): void => {
    for (const member of members.values()) {
      member.enqueueAfter(message.id, () => member.connection.emit('msg:append', { chatId, message }))
    }
  }
  const emitLive = (member: Member, live: LiveChat): void => {
    const { connection } = member
    const { generating, lastMessageId } = live
    if (joining.delete(connection))
      connection.emit('joined', { chatId, ...(generating && { generating: { messageId: generating.messageId } }) })
    connection.emit('chat:init', { chatId, lastMessageId, ...(generating && { generating }) })
    const read = member.isMuted() ? undefined : generating
    const answer = read && answers.of(read.messageId, read.generationId)
    member.release(answer && { answer, seq: read.lastEventId })
  }
  /** Begins a read of the chat's state. The result tells whether it is still to be sent: its member may have left, or a later read may have begun. */
  const beginRead = (member: Member): (() => boolean) => {
    const turn = member.hold()
    return () => members.get(member.connection) === member && member.isLast(turn)
  }
  const renewOne = async (member: Member): Promise<void> => {
    const isWanted = beginRead(member)
    const act = async (): Promise<void> => {
      if (!isWanted()) return
      try {
        const live = await chats.live(chat)
        if (isWanted()) emitLive(member, live)
      } catch (error) {
        if (isUnavailable(error)) throw error
        if (!isAppError(error)) log.error({ err: error, chatId }, 'the state of a chat has an unknown form')
        if (!isWanted()) return
        const { message, code } = isAppError(error) ? error : unavailable(error)
        member.connection.emit('chat:error', { chatId, error: message, code })
        remove(member.connection)
        removed(member.connection)
      }
    }
    await retryWithBackoff({ what: 'state of a chat', act, log, signal: closed.signal })
  }
  return {
    /**
     * Sends the chat's state, then every later event, unless `muted` those of running answers. Joining again resends the state; of several joins
     * at once the last one counts, and the others resolve without an effect.
     * @throws AppError not_found or unavailable; then the connection is not in the room
     */
    async join(connection: Connection, muted = false): Promise<void> {
      const member = members.get(connection) ?? createMember(connection)
      member.setMuted(muted)
      // Register first: events between reading the state and sending it are queued, not lost.
      members.set(connection, member)
      joining.add(connection)
      const isWanted = beginRead(member)
      try {
        const live = await chats.live(chat)
        if (isWanted()) emitLive(member, live)
      } catch (error) {
        // A late failure must not remove a connection that has joined again since.
        if (!isWanted()) return
        remove(connection)
        throw error
      }
    },
    /** Holds back the events of running answers until the connection joins again. */
    mute: (connection: Connection): void => members.get(connection)?.setMuted(true),
    leave: remove,
    /** A message was added, completed or changed. */
    changed: append,
    /** An answer began, or this generation continues it. */
    began(messageId: string, generationId?: string): void {
      // Whoever is not muted any more is sent the state.
      if (areMuted()) return
      messages.take(messageId, async (message) => {
        // A quick answer may have ended already: its events are sent as long as its log exists.
        if (message.status !== 'generating' && !(await answers.hasLog(generationId ?? messageId))) {
          emitMessage(message)
          return
        }
        const answer = answers.of(messageId, generationId)
        for (const member of members.values()) {
          member.enqueue(() => {
            if (!member.isMuted() && !member.isReading(answer.streamId))
              member.connection.emit('msg:append', { chatId, message: begun(message) })
          })
          member.follow(answer)
        }
      })
    },
    /** Resends the chat's state to all members, because signals may have been missed. */
    renew(): void {
      for (const member of members.values()) void renewOne(member)
    },
  }
}

/** The message of an answer without the content that its events will deliver. */
function begun({ id, role, model, parentId, versions, generationId, createdAt }: Message): Message {
  const more = { ...(versions && { versions }), ...(generationId !== undefined && { generationId }) }
  return { id, role, content: '', model, status: 'generating', parentId, ...more, createdAt }
}
