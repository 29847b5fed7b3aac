import { z } from 'zod'
import { imageTypes } from './chat/messages.ts'
import { maxChosenMessages, maxTitleLength } from './constants.ts'
import { filledText, idSchema, pageQuerySchema, text, timeSchema } from './primitives.ts'
import { routesFor } from './route.ts'

const user = routesFor('share', 'user', {
  guestRefusal: 'Sharing is not available in guest mode. Please sign in to continue.',
})
const anyone = routesFor('share', 'public')
const internal = routesFor('share', 'service')
const chat = routesFor('chat', 'service')

/** The header with the password of a link, percent-encoded UTF-8. */
export const sharePasswordHeader = 'x-share-password'

const passwordHeader = z.object({
  [sharePasswordHeader]: z.string().optional().meta({ description: 'Percent-encoded UTF-8' }),
})

/** Texts that a link may redact, and that a preview finds: all found ones can be redacted. */
export const maxRedacted = 5_000

/** The options of a link. A renewal unsets omitted options. */
export const shareBodySchema = z.strictObject({
  chatId: idSchema,
  /** The messages to share; by default the shown thread. */
  messageIds: z.array(idSchema).min(1).max(maxChosenMessages).optional(),
  /** Whether to share generated images; attached files are never shared. */
  includeImages: z.boolean().optional(),
  /** No expiry if omitted. */
  expiresAt: timeSchema.nullish(),
  password: filledText(128).nullish(),
  /** Texts to redact wherever they occur. */
  redact: z.array(filledText(4_000)).max(maxRedacted).optional(),
})
export type ShareBody = z.infer<typeof shareBodySchema>

/** An image of a shared message. `url` is a path on this origin, for visitors who were shown the message. */
export const sharedImageSchema = z.object({
  url: z.string(),
  /** In pixels. */
  width: z.number().int().optional(),
  height: z.number().int().optional(),
})
/** A message as shown to visitors. */
export const sharedMessageSchema = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  images: z.array(sharedImageSchema).optional(),
  createdAt: timeSchema,
})
export type SharedMessage = z.infer<typeof sharedMessageSchema>

/** Kinds of private data: an e-mail address, a phone number, or a key, password or card number. */
export const privateKinds = ['email', 'phone', 'secret'] as const
/** Possibly private data in a text. */
export const foundPrivateSchema = z.object({
  kind: z.enum(privateKinds),
  text: z.string(),
  /** Null for the title. */
  messageId: z.string().nullable(),
})
export type FoundPrivate = z.infer<typeof foundPrivateSchema>

/** The chat as visitors would see it, with possibly private data. URLs of images are those of the owner. */
export const sharePreviewSchema = z.object({
  title: z.string(),
  messages: z.array(sharedMessageSchema.extend({ id: z.string() })),
  model: z.string(),
  found: z.array(foundPrivateSchema),
})
export type SharePreview = z.infer<typeof sharePreviewSchema>

/** A link, for its owner. */
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

/** A shared chat as shown to visitors. */
export const sharedChatSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Pages that differ in it are of different snapshots: the link has been renewed. */
  sharedAt: timeSchema,
  messages: z.array(sharedMessageSchema),
  model: z.string(),
  /** The model's name when the chat was shared; missing where it was not known. */
  modelName: z.string().optional(),
  /** With `page`: the number of pages. */
  pages: z.number().int().optional(),
})
export type SharedChat = z.infer<typeof sharedChatSchema>

/** Routes of links: created by the chat's owner, opened by anyone. */
export const shareRoutes = {
  create: user.post('/share', {
    limited: 'reading',
    status: 201,
    mayExist: true,
    bodyLimit: 1024 * 1024,
    bodyValues: 20_000,
    summary: 'Share a snapshot of a chat; sharing it again renews the same link with 200',
    body: shareBodySchema,
    answer: shareLinkSchema,
  }),
  preview: user.post('/share/preview', {
    limited: 'reading',
    bodyLimit: 1024 * 1024,
    bodyValues: 20_000,
    summary: 'Preview what visitors would see, with possibly private data; nothing is stored',
    body: shareBodySchema,
    answer: sharePreviewSchema,
  }),
  list: user.get('/share', {
    summary: "The caller's links, latest first, or the link of one chat",
    query: pageQuerySchema.extend({ chatId: idSchema.optional() }),
    answer: z.object({ items: z.array(listedShareSchema), nextCursor: z.string().nullable() }),
  }),
  revokeAll: user.delete('/share', {
    summary: "Revoke all of the caller's links",
    answer: z.object({ revoked: z.number().int() }),
  }),
  revoke: user.delete('/share/:id', {
    summary: 'Revoke a link',
    status: 204,
  }),
  view: anyone.get('/share/:id', {
    limited: 'reading',
    summary:
      'A shared chat, which counts as a view, or one page of it; 404 for an unknown, revoked or expired link, 401 password_required without the right password in x-share-password, 429 after 10 wrong ones in a minute',
    headers: passwordHeader,
    query: z.object({
      /** From 0, about 50 messages each; omitted for the whole chat. */
      page: z.coerce.number().int().min(0).max(10_000).optional(),
    }),
    answer: sharedChatSchema,
  }),
  image: anyone.get('/share/:id/images/:imageId', {
    stream: true,
    limited: 'reading',
    summary: 'The bytes of an image in a shared chat; its id is known to visitors who were shown the message',
    params: z.object({ id: idSchema, imageId: idSchema }),
    types: imageTypes,
  }),
  continueChat: user.post('/share/:id/continue', {
    limited: 'reading',
    summary: 'Copy the text of a shared chat into a chat of the caller; takes x-share-password like the chat itself',
    headers: passwordHeader,
    status: 201,
    answer: z.object({ chatId: z.string() }),
  }),
}

/** Internal routes of share, for the gateway's page of a link. */
export const shareInternalRoutes = {
  card: internal.get('/internal/shares/:id/card', {
    summary:
      "Texts of a link's preview and its first screen as HTML; nulls for a link with a password, 404 for a link that is not live",
    answer: z.object({
      title: z.string().nullable(),
      description: z.string().nullable(),
      /** All texts in it are escaped. Null also from a share that does not write it yet. */
      firstScreen: z.string().nullable().default(null),
      /** The first screen needs the style sheet of formulas. */
      hasFormulas: z.boolean().default(false),
    }),
  }),
}

/** A chat to be shared: only its text and generated images. */
export const chatSnapshotSchema = z.object({
  title: z.string(),
  model: z.string(),
  /** Missing where it is not known. */
  modelName: z.string().optional(),
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

/** Limit of text per link, in bytes. */
export const maxSharedBytes = 8 * 1024 * 1024

/** Internal routes of chat, for share. */
export const chatShareRoutes = {
  snapshot: chat.post('/internal/chats/:id/snapshot', {
    bodyLimit: 1024 * 1024,
    bodyValues: 20_000,
    summary: "A user's chat for sharing; 400 for messages of another chat, 413 for too much text",
    body: z.strictObject({ userId: idSchema, messageIds: z.array(idSchema).optional() }),
    answer: chatSnapshotSchema,
  }),
  known: chat.post('/internal/chats/known', {
    summary: 'Which of these chats belong to the user',
    body: z.strictObject({ userId: idSchema, ids: z.array(idSchema).max(200) }),
    answer: z.object({ ids: z.array(z.string()) }),
  }),
  image: chat.get('/internal/chats/:id/images/:fileId', {
    stream: true,
    summary: "The bytes of a generated image in a user's chat",
    params: z.object({ id: idSchema, fileId: idSchema }),
    query: z.object({ userId: idSchema }),
  }),
  copy: chat.post('/internal/chats/copies', {
    // Enough for the longest shared text, with any escaping.
    bodyLimit: 6 * maxSharedBytes,
    bodyValues: 100_000,
    status: 201,
    summary: "Create a chat with these messages for a user, within the account's storage limits",
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
