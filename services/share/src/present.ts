import type { ChatSnapshot, ListedShare, SharedMessage, SharePreview } from '@parley/contracts'
import type { ShareLink, SnapshotMessage } from './store/documents.ts'

/** A link as shown to its owner. */
export const presentLink = ({ shareId, sharedAt, expiresAt, passwordHash, views }: ShareLink) => ({
  id: shareId,
  url: `/s/${shareId}`,
  sharedAt: sharedAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  hasPassword: passwordHash !== null,
  views,
})

/** A link in its owner's list. */
export const presentListed = (link: ShareLink): ListedShare => ({
  ...presentLink(link),
  chatId: link.id,
  title: link.title,
})

/** A message as shown to visitors. */
export const presentMessage = (
  shareId: string,
  { role, content, images, createdAt }: SnapshotMessage,
): SharedMessage => ({
  role,
  content,
  ...(images.length > 0 && {
    images: images.map(({ id, width, height }) => sized({ url: `/api/share/${shareId}/images/${id}`, width, height })),
  }),
  createdAt,
})

/** Messages as visitors would see them, but with the owner's URLs of images. */
export const presentPreview = (messages: ChatSnapshot['messages']): SharePreview['messages'] =>
  messages.map(({ id, role, content, images, createdAt }) => ({
    id,
    role,
    content,
    ...(images.length > 0 && {
      images: images.map(({ fileId, width, height }) => sized({ url: `/api/chat/files/${fileId}`, width, height })),
    }),
    createdAt,
  }))

interface Sized {
  readonly url: string
  readonly width: number | undefined
  readonly height: number | undefined
}

const sized = ({ url, width, height }: Sized) => ({
  url,
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
})
