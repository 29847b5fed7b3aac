import { messageOf, uploadFile } from '../../../shared/api/index.ts'
import { createClientMessageId } from '../stream/client-message-id.ts'
import type { TextStorage } from '../thread/guest-thread.ts'
import { createUploadTray, type UploadTray } from './attachments/upload-tray.ts'
import { createExtrasStore, type ExtrasStore, noExtras } from './draft-extras.ts'
import { createDraftStore, type DraftStore, newChatDraft } from './draft-store.ts'

/** Everything that is being written, in all chats: texts, what goes with them, and files on their way. */
export interface ComposerDesk {
  readonly drafts: DraftStore
  readonly extras: ExtrasStore
  readonly uploads: UploadTray
  /** The new chat became the chat `id`: what was written meanwhile belongs to it. */
  adopt(id: string): void
}

/** A desk whose drafts are kept in `storage` under `prefix`. */
export function createComposerDesk(storage: TextStorage, prefix: string): ComposerDesk {
  const drafts = createDraftStore(storage, `${prefix}draft:`)
  const extras = createExtrasStore(storage, `${prefix}draft-extras:`)
  const uploads = createUploadTray({
    extras,
    send: uploadFile,
    createKey: createClientMessageId,
    wordsOf: (error) => messageOf(error, ''),
    addressOf: (file) => URL.createObjectURL(file),
  })
  return {
    drafts,
    extras,
    uploads,
    adopt: (id) => {
      drafts.write(id, drafts.read(newChatDraft))
      drafts.write(newChatDraft, '')
      const written = extras.read(newChatDraft)
      extras.change(id, () => written)
      extras.change(newChatDraft, () => noExtras)
      uploads.move(newChatDraft, id)
    },
  }
}
