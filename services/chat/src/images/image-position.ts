import { notFound, validationFailed } from '@parley/kit'
import type { Common } from '../common.ts'
import type { Send, ThreadMessage } from '../store/entities.ts'
import type { ImageRequest } from './image-request.ts'

/** Where an image goes: after a question of its own, or after that of the image that it is another version of. Without a chat, `chatId` is empty. */
export type ImagePosition = Pick<Send, 'chatId' | 'userMessageId' | 'parentId'>

/**
 * Finds where an image goes; nothing is written.
 * @throws AppError not_found when the user has no such chat or the chat no such image, validation_failed for a version without a chat
 */
export async function findImagePosition(
  { stores, newId }: Pick<Common, 'stores' | 'newId'>,
  ownerId: string,
  { chatId, regenerateMessageId }: ImageRequest,
): Promise<ImagePosition> {
  if (chatId != null && (await stores.chats.find(chatId, ownerId)) === undefined) throw notFound()
  if (regenerateMessageId === undefined) return { chatId: chatId ?? '', userMessageId: newId(), parentId: null }
  if (chatId == null) throw validationFailed([{ path: 'chatId', message: 'Required' }])
  const image = await stores.messages.find(chatId, regenerateMessageId)
  if (image === undefined || image.parentId === null || !isImage(image)) throw notFound()
  const question = await stores.messages.find(chatId, image.parentId)
  if (question?.role !== 'user') throw notFound()
  return { chatId, userMessageId: question.id, parentId: question.parentId }
}

const isImage = ({ role, status, content, attachments }: ThreadMessage): boolean =>
  role === 'assistant' && status === 'complete' && content === '' && attachments.length > 0
