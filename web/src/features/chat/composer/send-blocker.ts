import type { MessageId } from '../../../shared/i18n/index.ts'

/** Whether a message can be sent: yes, as soon as the models are known, or not at all. */
export type Gate = 'open' | 'waiting' | 'closed'

/** What is being written, as far as sending depends on it. */
export interface Writing {
  /** Nothing but white space was written, and nothing was pasted. */
  readonly blank: boolean
  /** UTF-16 units that the message is too long. */
  readonly excess: number
  readonly attachments: number
  readonly uploading: boolean
  readonly uploadFailed: boolean
  /** The model cannot be shown the files. */
  readonly unreadable: boolean
  readonly image: boolean
  readonly gate: Gate
}

/** Why what was written cannot be sent; null when it can, or when there is nothing to send. */
export function sendBlockerOf(writing: Writing): MessageId | null {
  const { blank, excess, attachments, gate, image } = writing
  if (excess > 0) return 'chat.composer.tooLong'
  if (image && attachments > 0) return 'composer.note.imageFiles'
  if (writing.uploadFailed) return 'composer.note.uploadFailed'
  if (writing.uploading) return 'composer.note.uploading'
  if (attachments > 0 && blank) return 'composer.note.needsText'
  if (blank) return null
  if (gate === 'closed') return image ? 'composer.note.noImageModel' : 'chat.composer.noModel'
  return writing.unreadable ? 'composer.note.unreadable' : null
}
