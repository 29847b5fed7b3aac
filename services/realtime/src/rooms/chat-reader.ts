import { chatInternalRoutes, type Message } from '@parley/contracts'
import { isAppError, type ServiceClient } from '@parley/kit'
import type { z } from 'zod'

/** The state of a chat. */
export type LiveChat = z.output<NonNullable<typeof chatInternalRoutes.live.answer>>

/** A chat, addressed by its owner. */
export interface ChatRef {
  readonly chatId: string
  readonly userId: string
}

/**
 * Reads from chat. Each request names the user: other users' chats are not found. An answer in an unknown form throws no AppError: asking again would not
 * help.
 */
export type ChatReader = ReturnType<typeof createChatReader>

/** A ChatReader over HTTP. */
export function createChatReader(client: ServiceClient) {
  const live = ({ chatId, userId }: ChatRef): Promise<LiveChat> =>
    inKnownForm(client.call(chatInternalRoutes.live, { params: { id: chatId }, query: { userId } }))
  const orNone = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await asked
    } catch (error) {
      if (isAppError(error, 'not_found')) return undefined
      throw error
    }
  }
  return {
    /** @throws AppError not_found, also for another user's chat; unavailable */
    live,
    /** Undefined when this user has no such message. @throws AppError unavailable */
    message: ({ chatId, userId }: ChatRef, messageId: string): Promise<Message | undefined> =>
      orNone(
        inKnownForm(client.call(chatInternalRoutes.message, { params: { id: chatId, messageId }, query: { userId } })),
      ),
    /** Whether the answer of this stream is still being generated. @throws AppError unavailable */
    async isMaking(chat: ChatRef, streamId: string): Promise<boolean> {
      const generating = (await orNone(live(chat)))?.generating
      return (generating?.generationId ?? generating?.messageId) === streamId
    },
  }
}

/** The client takes an answer that does not fit its schema for an outage, which would be waited for. */
async function inKnownForm<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    const { cause } = error as Error
    throw cause instanceof Error && cause.name === 'ZodError' ? cause : error
  }
}
