import { createHash } from 'node:crypto'

/** A validated request for an image. */
export interface ImageRequest {
  readonly prompt: string
  /** Defaults to the first image model that is enabled. */
  readonly model?: string | undefined
  readonly chatId?: string | null | undefined
  /** The image of that chat that it becomes another version of. */
  readonly regenerateMessageId?: string | undefined
  readonly clientMessageId?: string | undefined
}

/** A digest of the request, which no send of a message has. The client's own key is no part of it. */
export const imageHash = ({ prompt, model, chatId, regenerateMessageId }: ImageRequest): string =>
  createHash('sha256')
    .update(JSON.stringify({ image: { prompt, model, chatId: chatId ?? null, regenerateMessageId } }))
    .digest('hex')
