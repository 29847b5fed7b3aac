import { z } from 'zod'
import { maxTitleLength } from './constants.ts'
import { filledText, idParamsSchema, idSchema, pageQuerySchema, text, timeSchema } from './primitives.ts'
import { defineRoute } from './route.ts'

const service = 'share'
const guestRefusal = 'Sharing is not available in guest mode. Please sign in to continue.'

/** The header that carries the password of a link, percent-encoded UTF-8. */
export const sharePasswordHeader = 'x-share-password'

/** What the owner of a chat shares of it. Options that a renewal leaves out are unset. */
export const shareBodySchema = z.strictObject({
  chatId: idSchema,
  /** All that is shown without it. */
  messageIds: z.array(idSchema).min(1).max(10_000).optional(),
  /** Images that answers made; files that people attached are never shared. */
  includeImages: z.boolean().optional(),
  /** Never without it. */
  expiresAt: timeSchema.nullish(),
  password: filledText(128).nullish(),
  /** Texts that are made unreadable wherever they occur. */
  redact: z.array(filledText(4_000)).max(500).optional(),
})
export type ShareBody = z.infer<typeof shareBodySchema>

/** An image of a shared message. `url` is a path on this origin, for whoever was shown the message. */
export const sharedImageSchema = z.object({
  url: z.string(),
  /** Pixels. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
})
/** A message as strangers see it. */
export const sharedMessageSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  images: z.array(sharedImageSchema).optional(),
  createdAt: timeSchema,
})
export type SharedMessage = z.infer<typeof sharedMessageSchema>

/** What may be private: an e-mail address, a phone number, or a key, password or card number. */
export const privateKinds = ['email', 'phone', 'secret'] as const
/** Something in a text that its owner may not want to show. */
export const foundPrivateSchema = z.object({
  kind: z.enum(privateKinds),
  text: z.string(),
  /** Null for the title. */
  messageId: z.string().nullable(),
})
export type FoundPrivate = z.infer<typeof foundPrivateSchema>

/** What strangers would see, and what of it may be private. Images are where their owner sees them. */
export const sharePreviewSchema = z.object({
  title: z.string(),
  messages: z.array(sharedMessageSchema.extend({ id: z.string() })),
  model: z.string(),
  found: z.array(foundPrivateSchema),
})
export type SharePreview = z.infer<typeof sharePreviewSchema>

/** A link as its owner sees it. */
export const shareLinkSchema = z.object({
  id: z.string(),
  /** Path on this origin. */
  url: z.string(),
  sharedAt: timeSchema,
  /** Null for never. */
  expiresAt: timeSchema.nullable(),
  hasPassword: z.boolean(),
  views: z.number().int(),
})
/** A link in its owner's list. */
export const listedShareSchema = shareLinkSchema.extend({ chatId: z.string(), title: z.string() })
export type ListedShare = z.infer<typeof listedShareSchema>

/** A shared chat as strangers see it. */
export const sharedChatSchema = z.object({
  id: z.string(),
  title: z.string(),
  sharedAt: timeSchema,
  messages: z.array(sharedMessageSchema),
  model: z.string(),
  /** With `page`: how many pages there are. */
  pages: z.number().int().optional(),
})
export type SharedChat = z.infer<typeof sharedChatSchema>

/** Links to chats: made by their owner, opened by anybody. */
export const shareRoutes = {
  create: defineRoute({
    method: 'POST',
    path: '/share',
    service,
    access: 'user',
    guestRefusal,
    limited: 'reading',
    status: 201,
    bodyLimit: 1024 * 1024,
    bodyValues: 20_000,
    summary: 'Share a chat as it is now; sharing it again renews it under the same link with 200',
    body: shareBodySchema,
    answer: shareLinkSchema,
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/share/preview',
    service,
    access: 'user',
    guestRefusal,
    limited: 'reading',
    bodyLimit: 1024 * 1024,
    bodyValues: 20_000,
    summary: 'What strangers would see, and what of it may be private; nothing is stored',
    body: shareBodySchema,
    answer: sharePreviewSchema,
  }),
  list: defineRoute({
    method: 'GET',
    path: '/share',
    service,
    access: 'user',
    guestRefusal,
    summary: "One's own links, the latest first",
    query: pageQuerySchema,
    answer: z.object({ items: z.array(listedShareSchema), nextCursor: z.string().nullable() }),
  }),
  revokeAll: defineRoute({
    method: 'DELETE',
    path: '/share',
    service,
    access: 'user',
    guestRefusal,
    summary: 'End every link of mine',
    answer: z.object({ revoked: z.number().int() }),
  }),
  revoke: defineRoute({
    method: 'DELETE',
    path: '/share/:id',
    service,
    access: 'user',
    guestRefusal,
    summary: 'End a link',
    params: idParamsSchema,
    status: 204,
  }),
  view: defineRoute({
    method: 'GET',
    path: '/share/:id',
    service,
    access: 'public',
    limited: 'reading',
    summary:
      'A shared chat, which counts as a view, or one page of it; 404 for a link that is unknown, revoked or expired, 401 password_required for one whose password was not sent in x-share-password, 429 after 10 wrong ones in a minute',
    params: idParamsSchema,
    query: z.object({
      /** From 0, about 50 messages each; the whole chat without it. */
      page: z.coerce.number().int().min(0).max(10_000).optional(),
    }),
    answer: sharedChatSchema,
  }),
  image: defineRoute({
    method: 'GET',
    path: '/share/:id/images/:imageId',
    service,
    access: 'public',
    stream: true,
    limited: 'reading',
    summary: 'The bytes of an image of a shared chat; its id is known to those who were shown the message',
    params: z.object({ id: idSchema, imageId: idSchema }),
  }),
  continueChat: defineRoute({
    method: 'POST',
    path: '/share/:id/continue',
    service,
    access: 'user',
    guestRefusal,
    limited: 'reading',
    summary: 'Copy the text of a shared chat into a chat of mine; takes x-share-password as the chat itself does',
    params: idParamsSchema,
    status: 201,
    answer: z.object({ chatId: z.string() }),
  }),
}

/** What the gateway asks to write the page of a link. */
export const shareInternalRoutes = {
  card: defineRoute({
    method: 'GET',
    path: '/internal/shares/:id/card',
    service,
    access: 'service',
    summary: 'What a preview of a link may show; nulls for one with a password, 404 for one that leads nowhere',
    params: idParamsSchema,
    answer: z.object({ title: z.string().nullable(), description: z.string().nullable() }),
  }),
}

/** A chat as share asks chat for it: text and the images that answers made, nothing else. */
export const chatSnapshotSchema = z.object({
  title: z.string(),
  model: z.string(),
  messages: z.array(
    z.object({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      images: z.array(
        z.object({
          fileId: z.string(),
          mimeType: z.string(),
          width: z.number().int().optional(),
          height: z.number().int().optional(),
        }),
      ),
      createdAt: timeSchema,
    }),
  ),
})
export type ChatSnapshot = z.infer<typeof chatSnapshotSchema>

/** Bytes of text that one link may show. */
export const maxSharedBytes = 8 * 1024 * 1024

/** What share asks of chat. */
export const chatShareRoutes = {
  snapshot: defineRoute({
    method: 'POST',
    path: '/internal/chats/:id/snapshot',
    service: 'chat',
    access: 'service',
    bodyLimit: 1024 * 1024,
    bodyValues: 20_000,
    summary: "A user's chat as it may be shown to others; 400 for messages of another chat, 413 for too much text",
    params: idParamsSchema,
    body: z.strictObject({ userId: idSchema, messageIds: z.array(idSchema).optional() }),
    answer: chatSnapshotSchema,
  }),
  known: defineRoute({
    method: 'POST',
    path: '/internal/chats/known',
    service: 'chat',
    access: 'service',
    summary: 'Which of these chats the user has',
    body: z.strictObject({ userId: idSchema, ids: z.array(idSchema).max(200) }),
    answer: z.object({ ids: z.array(z.string()) }),
  }),
  image: defineRoute({
    method: 'GET',
    path: '/internal/chats/:id/images/:fileId',
    service: 'chat',
    access: 'service',
    stream: true,
    summary: "The bytes of an image that an answer of a user's chat made",
    params: z.object({ id: idSchema, fileId: idSchema }),
    query: z.object({ userId: idSchema }),
  }),
  copy: defineRoute({
    method: 'POST',
    path: '/internal/chats/copies',
    service: 'chat',
    access: 'service',
    // The longest text that is shared, escaped in any way.
    bodyLimit: 6 * maxSharedBytes,
    bodyValues: 100_000,
    status: 201,
    summary: 'Make a chat of these messages for a user, within what their account may keep',
    body: z.strictObject({
      userId: idSchema,
      title: text(maxTitleLength),
      model: text(200),
      messages: z.array(
        z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string(), createdAt: timeSchema }),
      ),
    }),
    answer: z.object({ chatId: z.string() }),
  }),
}
