import type { Attachment } from '@parley/contracts'
import type { FileMeta } from '../store/file-store.ts'

/** The URL of a file's bytes, on this origin. */
export const fileUrl = (id: string): string => `/api/chat/files/${id}`

/** A stored file as a message has it, under the name that it was sent with. */
export const presentAttachment = (
  { id, mimeType, size, width, height, pages }: FileMeta,
  sent: { readonly name: string; readonly detail?: Attachment['detail'] | undefined },
): Attachment => ({
  id,
  type: mimeType === 'application/pdf' ? 'file' : 'image',
  mimeType,
  url: fileUrl(id),
  name: sent.name,
  size,
  detail: sent.detail ?? 'high',
  ...(width !== null && { width }),
  ...(height !== null && { height }),
  ...(pages !== null && { pages }),
})
