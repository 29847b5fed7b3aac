import { setImmediate } from 'node:timers/promises'
import { type ChatSnapshot, type FoundPrivate, maxRedacted, maxSharedBytes, maxTitleLength } from '@parley/contracts'
import { AppError, type NewId } from '@parley/kit'
import { findPrivate } from './privacy/find-private.ts'
import { createRedaction, redactTitle } from './privacy/redact.ts'
import type { SnapshotMessage } from './store/documents.ts'

/** The owner's choice of what a link shows. */
export interface Selection {
  readonly includeImages?: boolean | undefined
  readonly redact?: readonly string[] | undefined
}

/**
 * A chat as visitors see it, by its owner's choice.
 * @throws AppError validation_failed when there is nothing to show, payload_too_large when redaction has made too much text of it
 */
export function selectShown(chat: ChatSnapshot, { includeImages = false, redact = [] }: Selection): ChatSnapshot {
  const clean = createRedaction(redact)
  let bytes = 0
  const messages = chat.messages
    .map((message) => {
      const content = clean(message.content)
      bytes += Buffer.byteLength(content)
      if (bytes > maxSharedBytes) throw tooLong()
      return { ...message, content, images: includeImages ? message.images : [] }
    })
    .filter(({ content, images }) => content.trim() !== '' || images.length > 0)
  if (messages.length === 0) throw new AppError('validation_failed', 'There’s nothing to share in this chat yet.')
  const title = redactTitle(chat.title, redact).slice(0, maxTitleLength).toWellFormed()
  return { ...chat, title, messages }
}

const tooLong = (): AppError =>
  new AppError('payload_too_large', 'This is too much text for one link. Please choose fewer messages.')

/**
 * Possibly private data in a snapshot, each text once, with the first message that has it. Yields to the event loop between messages.
 * @throws AppError payload_too_large when there is more than can be redacted: the rest would be published unseen
 */
export async function findInSnapshot({ title, messages }: ChatSnapshot): Promise<readonly FoundPrivate[]> {
  const found = new Map<string, FoundPrivate>()
  for (const { id: messageId, content } of [{ id: null, content: title }, ...messages]) {
    for (const each of findPrivate(content)) {
      if (!found.get(each.text)?.messageId) found.set(each.text, { ...each, messageId })
    }
    if (found.size > maxRedacted) throw tooLong()
    await setImmediate()
  }
  return [...found.values()]
}

const messagesOfPage = 50
const charactersOfPage = 256 * 1024

/** Splits the messages into pages; each image gets a new id with its page as the prefix. */
export function paginate({ messages }: ChatSnapshot, newId: NewId): readonly (readonly SnapshotMessage[])[] {
  const pages: SnapshotMessage[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const { role, content, images, createdAt } of messages) {
    const full = length + content.length > charactersOfPage || (pages.at(-1)?.length ?? 0) >= messagesOfPage
    if (full) {
      pages.push([])
      length = 0
    }
    length += content.length
    const nth = pages.length - 1
    const kept = images.map((image) => ({ ...image, id: `${nth}_${newId()}` }))
    pages.at(-1)?.push({ role, content, images: kept, createdAt })
  }
  return pages
}

const descriptionLength = 200

/** The beginning of the text on one line, without Markdown syntax. */
export function describe({ messages }: ChatSnapshot): string {
  const [first = ''] = messages.map(({ content }) => plain(content)).filter((text) => text !== '')
  return first.length <= descriptionLength
    ? first
    : `${first
        .slice(0, descriptionLength - 1)
        .toWellFormed()
        .trimEnd()}…`
}

const plain = (markdown: string): string =>
  markdown
    .slice(0, 4 * descriptionLength)
    .toWellFormed()
    .replace(/[`*_#>|~]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
