import { expect, it } from 'vitest'
import { sendBlockerOf, type Writing } from './send-blocker.ts'

const writing: Writing = {
  blank: false,
  excess: 0,
  attachments: 0,
  uploading: false,
  uploadFailed: false,
  unreadable: false,
  image: false,
  gate: 'open',
}

it.each<[Partial<Writing>, string | null]>([
  [{}, null],
  [{ blank: true }, null],
  [{ excess: 3 }, 'chat.composer.tooLong'],
  [{ uploading: true }, 'composer.note.uploading'],
  [{ uploading: true, uploadFailed: true }, 'composer.note.uploadFailed'],
  [{ attachments: 1, blank: true }, 'composer.note.needsText'],
  [{ attachments: 1, unreadable: true }, 'composer.note.unreadable'],
  [{ attachments: 1, image: true }, 'composer.note.imageFiles'],
  [{ gate: 'closed' }, 'chat.composer.noModel'],
  [{ gate: 'closed', image: true }, 'composer.note.noImageModel'],
  [{ gate: 'waiting' }, null],
])('the reason that prevents sending is shown: %o', (fields, note) => {
  expect(sendBlockerOf({ ...writing, ...fields })).toBe(note)
})
