import { setTimeout as delay } from 'node:timers/promises'
import type { Common } from '../common.ts'
import { presentAttachment } from '../files/attachment.ts'
import type { Files } from '../files/files.ts'
import { plainMessage } from '../history/plain-message.ts'
import { chatIsBusy } from '../refusals.ts'
import type { Ending, Send } from '../store/entities.ts'
import type { FileMeta } from '../store/file-store.ts'
import type { ChatStores } from '../store/index.ts'
import type { FinishedMessage } from '../store/message-store.ts'
import type { ImageRequest } from './image-request.ts'

export interface ImageThreadDeps extends Pick<Common, 'stores' | 'changes' | 'log' | 'now'> {
  readonly files: Pick<Files, 'attach'>
}

/** @throws AppError conflict while an answer of the chat is being written */
export async function refuseBusy({ messages }: Pick<ChatStores, 'messages'>, chatId: string): Promise<void> {
  const [shown] = await messages.path(chatId, 'shown', 1)
  if (shown?.status === 'generating') throw chatIsBusy()
}

/** An image and the request that it was made for. */
interface Delivery {
  readonly request: ImageRequest
  readonly send: Send
  readonly image: FileMeta
  readonly ending: Ending
}

/** An answer that was begun meanwhile is waited for this often, in milliseconds, and for so long. */
const againMs = 250
const patienceMs = 60_000

/**
 * Stores the prompt and the image as messages after the last one shown, or the image alone after the question whose image it is another version of,
 * unless they exist. Resolves to their ids, or to none when the chat is gone or an answer in it takes long: the image exists without it.
 */
export async function putIntoChat(
  deps: ImageThreadDeps,
  delivery: Delivery,
): Promise<{ readonly userMessageId: string; readonly messageId: string } | undefined> {
  const { stores, files, now, log } = deps
  const { send, image, request } = delivery
  const { chatId, ownerId, userMessageId, messageId } = send
  await files.attach(ownerId, chatId, [presentAttachment(image, image)])
  const latest = now().getTime() + patienceMs
  const isVersion = request.regenerateMessageId !== undefined
  for (;;) {
    const [question, answer] = await messagesOf(deps, delivery)
    const appended = isVersion
      ? await stores.messages.append(chatId, ownerId, [answer], { parentId: userMessageId })
      : await stores.messages.append(chatId, ownerId, [question, answer])
    if (appended === 'appended') break
    if (appended === 'gone' || now().getTime() > latest) {
      log.warn({ chatId, messageId, appended }, 'an image could not be added to its chat')
      return undefined
    }
    await delay(againMs)
  }
  await publishChanges(deps, send, isVersion ? [messageId] : [userMessageId, messageId])
  return { userMessageId, messageId }
}

async function messagesOf(
  { stores, now }: ImageThreadDeps,
  { request, send, image, ending }: Delivery,
): Promise<readonly [FinishedMessage, FinishedMessage]> {
  const [shown] = await stores.messages.path(send.chatId, 'shown', 1)
  const at = Math.max(now().getTime(), (shown?.createdAt.getTime() ?? 0) + 1)
  const plain = { ...plainMessage, model: image.made?.model ?? '' }
  const { userMessageId, messageId, clientMessageId } = send
  const question = { ...plain, id: userMessageId, role: 'user', content: request.prompt, clientMessageId } as const
  const attachments = [presentAttachment(image, image)]
  const answer = { ...plain, id: messageId, role: 'assistant', content: '', attachments, ending } as const
  return [
    { ...question, createdAt: new Date(at) },
    { ...answer, createdAt: new Date(at + 1) },
  ]
}

/** The chat keeps its own model: an image model cannot continue it. */
async function publishChanges(
  { stores: { chats }, changes, now }: ImageThreadDeps,
  { chatId, ownerId }: Send,
  added: readonly string[],
): Promise<void> {
  const chat = await chats.find(chatId, ownerId)
  if (chat === undefined) return
  const noted = await chats.noteMessages(chatId, chat.modelUsed, now())
  for (const messageId of added) await changes.message(ownerId, chatId, messageId)
  if (noted !== undefined) await changes.updated(noted)
}
