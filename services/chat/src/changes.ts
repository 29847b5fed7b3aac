import type { Signal } from '@parley/cache'
import type { SignalPayload } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Chat } from './store/entities.ts'

type BriefChat = Pick<Chat, 'id' | 'ownerId' | 'title' | 'updatedAt' | 'archived'>

/** When more chats than this change in one act, only so many are signalled to other windows; these fetch the rest themselves. */
const mostSignalled = 50

/** One of several chats that changed in one act. */
type ChangedChat = SignalPayload<'chats-changed'>['chats'][number]

/** Bytes of the chats in one signal, so that it stays below 64 KB with its envelope. */
const signalBytes = 63 * 1024

/**
 * Signals to the user's other windows that a chat changed, after it was stored: by the hints `chat-changed` and, of several chats at once,
 * `chats-changed`. A lost signal is made up for by the next request, so nothing here fails.
 */
export function createChatChanges(signal: Pick<Signal, 'publish'>, log: Logger) {
  const publish = async (change: SignalPayload<'chat-changed'>): Promise<void> => {
    await signal.publish('chat-changed', change).catch((error: unknown) => {
      log.warn({ err: error, chatId: change.chatId }, 'a change of a chat could not be signalled')
    })
  }
  const publishSeveral = async (
    userId: string,
    kind: SignalPayload<'chats-changed'>['kind'],
    changed: readonly ChangedChat[],
  ): Promise<void> => {
    const [first] = changed
    if (changed.length === 1 && first !== undefined) {
      await publish({ userId, kind, ...first })
      return
    }
    for (const chats of inSignals(changed)) {
      await signal.publish('chats-changed', { userId, kind, chats }).catch((error: unknown) => {
        log.warn({ err: error, chats: chats.length }, 'changes of chats could not be signalled')
      })
    }
  }
  const publishUpdated = (
    chat: BriefChat,
    more: Pick<SignalPayload<'chat-changed'>, 'messageId' | 'clientMessageId'>,
  ) => publish({ userId: chat.ownerId, kind: 'updated', ...stateOf(chat), ...more })
  return {
    /** It is new, restored, renamed, pinned, archived or not any more; with `lastMessageId`, another version of its thread is shown. */
    updated: (chat: BriefChat, lastMessageId?: string) =>
      publishUpdated(chat, lastMessageId === undefined ? {} : { messageId: lastMessageId }),
    /** A message, to which its sender may have given an id, has begun it. */
    begun: (chat: BriefChat, clientMessageId: string | undefined) =>
      publishUpdated(chat, clientMessageId === undefined ? {} : { clientMessageId }),
    /** The chats were imported together, or archived or unarchived in one act. */
    several: (userId: string, chats: readonly Omit<BriefChat, 'ownerId'>[]) =>
      publishSeveral(userId, 'updated', chats.slice(-mostSignalled).map(stateOf)),
    deleted(userId: string, chatIds: readonly string[]) {
      const changed = chatIds.map((chatId) => ({ chatId }))
      return publishSeveral(userId, 'deleted', changed)
    },
    /** This message was added, ended or changed. */
    message: (userId: string, chatId: string, messageId: string) =>
      publish({ userId, chatId, kind: 'message', messageId }),
    /** This answer was begun, or is continued by this generation. */
    generation: (userId: string, chatId: string, messageId: string, generationId?: string) =>
      publish({ userId, chatId, kind: 'generation', messageId, ...(generationId !== undefined && { generationId }) }),
  }
}

/** A chat as its other windows show it. */
const stateOf = ({ id, title, updatedAt, archived }: Omit<BriefChat, 'ownerId'>) => ({
  chatId: id,
  title,
  updatedAt: updatedAt.toISOString(),
  ...(archived && { archived }),
})

/** Chats in as few signals as have room for them. */
function inSignals(chats: readonly ChangedChat[]): ChangedChat[][] {
  const signals: ChangedChat[][] = []
  let room = 0
  for (const chat of chats) {
    const bytes = Buffer.byteLength(JSON.stringify(chat)) + 1
    if (bytes > room) {
      signals.push([])
      room = signalBytes
    }
    signals.at(-1)?.push(chat)
    room -= bytes
  }
  return signals
}
