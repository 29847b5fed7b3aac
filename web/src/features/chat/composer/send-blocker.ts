import type { MessageId } from '../../../shared/i18n/index.ts'

/** Whether a message can be sent: now, once the models are loaded, or not at all. */
export type Gate = 'open' | 'waiting' | 'closed'

/** The parts of a draft that sending depends on. */
export interface Writing {
  /** Only white space was typed, and nothing was pasted. */
  readonly blank: boolean
  /** UTF-16 code units over the limit. */
  readonly excess: number
  readonly attachments: number
  readonly uploading: boolean
  readonly uploadFailed: boolean
  /** The model cannot read the files. */
  readonly unreadable: boolean
  readonly image: boolean
  readonly gate: Gate
}

/** Why the draft cannot be sent; null if it can, or if it is empty. */
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
