import { createHash } from 'node:crypto'
import type { chatRoutes } from '@parley/contracts'
import type { z } from 'zod'

/** A validated request for an image; its model defaults to the first image model that is enabled. */
export type ImageRequest = z.output<typeof chatRoutes.image.body & {}>

/** A digest of the request, which no send of a message has. The client's own key is no part of it. */
export const imageHash = ({ prompt, model, chatId, regenerateMessageId }: ImageRequest): string =>
  createHash('sha256')
    .update(JSON.stringify({ image: { prompt, model, chatId: chatId ?? null, regenerateMessageId } }))
    .digest('hex')
