import type { Attachment, AttachmentInput, ModelInfo } from '@parley/contracts'
import { AppError, notFound } from '@parley/kit'
import { cleanFileName } from './file-name.ts'

/** Bytes of one file as it is sent. */
export const maxFileBytes = 10 * 1024 * 1024

/** Bytes of the files of one prompt: it is in memory several times over, here and at llm-router, and providers take no more. */
export const maxPromptFileBytes = 40 * 1024 * 1024

/** The properties of a model that decide which files it may be sent. */
export type FileModel = Pick<ModelInfo, 'name' | 'provider' | 'supportsImageAttachments' | 'supportsFileAttachments'>

/**
 * Checks attachments sent as data URLs before any of them is decoded.
 * @throws AppError payload_too_large for a file larger than any message may have, or for too many files in one request
 */
export function refuseTooMuch(inputs: readonly AttachmentInput[]): void {
  let total = 0
  for (const { dataUrl = '', name } of inputs) {
    const bytes = decodedLength(dataUrl)
    if (bytes > maxFileBytes) throw tooLargeFile(cleanFileName(name ?? 'file'))
    total += bytes
  }
  if (total > maxFileBytes) throw tooMuchAtOnce()
}

/** @throws AppError payload_too_large for files that are too large together */
export function refuseTooLarge(attachments: readonly Pick<Attachment, 'size'>[]): void {
  const total = attachments.reduce((sum, { size }) => sum + size, 0)
  if (total > maxPromptFileBytes) throw tooLargeTogether()
}

/** Bytes that come of the base64 of a data URL: three of four characters, but for those that only fill up. */
function decodedLength(dataUrl: string): number {
  const length = dataUrl.length - dataUrl.indexOf(',') - 1
  const filling = dataUrl.endsWith('==') ? 2 : dataUrl.endsWith('=') ? 1 : 0
  return Math.floor((length * 3) / 4) - filling
}

/** @throws AppError unsupported_media when the model cannot read this kind of file */
export function refuseUnreadable({ type, name }: Pick<Attachment, 'type' | 'name'>, model: FileModel): void {
  if (type === 'image' ? model.supportsImageAttachments : model.supportsFileAttachments) return
  const kind = type === 'image' ? 'images' : 'PDF files'
  throw new AppError(
    'unsupported_media',
    `${model.name} can’t read ${kind}. Please remove “${name}” or choose another model.`,
  )
}

/** For content that is not a file of a supported kind. */
export const unsupportedFile = (name: string): AppError =>
  new AppError('unsupported_media', `“${name}” isn’t a supported file. Use PNG, JPEG, WebP, GIF or PDF.`)

/** For a file of a supported kind that cannot be used; the reason completes the sentence. */
export const unusableFile = (name: string, reason: string, cause?: unknown): AppError =>
  new AppError('unsupported_media', `“${name}” ${reason}`, { cause })

/** For a file with more bytes than allowed. */
export const tooLargeFile = (name: string): AppError =>
  new AppError('payload_too_large', `“${name}” is too large. A file may have at most 10 MB.`)

/** For a file that no longer exists or belongs to another user: the answer does not tell which. */
export const goneFile = (name: string | undefined): AppError =>
  notFound(name ? `“${name}” is no longer available. Please remove it or upload it again.` : 'File not found.')

const tooLargeTogether = (): AppError =>
  new AppError(
    'payload_too_large',
    'The files of this message add up to more than 40 MB. Please attach fewer or smaller ones.',
  )

const tooMuchAtOnce = (): AppError =>
  new AppError(
    'payload_too_large',
    'The files of this message add up to more than 10 MB. Please upload them first (POST /chat/files) and attach them by id.',
  )
