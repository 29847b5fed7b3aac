import { type ChatSnapshot, maxSharedBytes } from '@parley/contracts'
import { AppError, validationFailed } from '@parley/kit'
import { pathTo } from '../history/tree.ts'
import type { Chat, ThreadMessage } from '../store/entities.ts'
import type { MessageStore, OutlineEntry } from '../store/message-store.ts'
import { inPortions, portionsOf } from '../transfer/portions.ts'

/**
 * The shareable part of a chat: texts, and images made by answers, of these messages or of the version that is shown. Unfinished answers are
 * left out.
 * @throws AppError validation_failed for a message that is not of this chat, payload_too_large
 */
export async function snapshotOf(
  messages: MessageStore,
  chat: Chat,
  messageIds: readonly string[] | undefined,
): Promise<ChatSnapshot> {
  const outline = await messages.outline(chat.id)
  const chosen = messageIds === undefined ? pathTo(outline, chat.leafId) : chosenOf(outline, messageIds)
  const ended = chosen.filter(({ status }) => status !== 'generating')
  const shown: ChatSnapshot['messages'] = []
  let bytes = 0
  for await (const portion of inPortions(messages, chat.id, portionsOf(ended))) {
    bytes += portion.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
    if (bytes > maxSharedBytes) throw tooLong()
    shown.push(...portion.map(showMessage))
  }
  return { title: chat.title, model: chat.modelUsed, messages: shown }
}

function chosenOf(outline: readonly OutlineEntry[], messageIds: readonly string[]): readonly OutlineEntry[] {
  const wanted = new Set(messageIds)
  const chosen = outline.filter(({ id }) => wanted.has(id))
  if (chosen.length < wanted.size) {
    throw validationFailed([{ path: 'messageIds', message: 'Some of these messages aren’t in this chat.' }])
  }
  return chosen
}

const showMessage = ({
  id,
  role,
  content,
  attachments,
  createdAt,
}: ThreadMessage): ChatSnapshot['messages'][number] => ({
  id,
  role,
  content,
  images: attachments
    .filter(({ type }) => role === 'assistant' && type === 'image')
    .map(({ id: fileId, mimeType, width, height }) => ({ fileId, mimeType, width, height })),
  createdAt: createdAt.toISOString(),
})

const tooLong = (): AppError =>
  new AppError('payload_too_large', 'This is too much text for one link. Please choose fewer messages.')
