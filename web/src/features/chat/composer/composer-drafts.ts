import { messageOf, uploadFile } from '../../../shared/api/index.ts'
import type { TextStorage } from '../../../shared/session/index.ts'
import { createClientMessageId } from '../stream/client-message-id.ts'
import { createUploadStore, type UploadStore } from './attachments/upload-store.ts'
import { createExtrasStore, type ExtrasStore, noExtras } from './draft-extras.ts'
import { createDraftStore, type DraftStore, newChatDraft } from './draft-store.ts'

/** The drafts of all chats: texts, what goes with them, and files on their way. */
export interface ComposerDrafts {
  readonly texts: DraftStore
  readonly extras: ExtrasStore
  readonly uploads: UploadStore
  /** The new chat became the chat `id`: what was written meanwhile belongs to it. */
  adopt(id: string): void
}

/** The drafts kept in `storage` under `prefix`. */
export function createComposerDrafts(storage: TextStorage, prefix: string): ComposerDrafts {
  const texts = createDraftStore(storage, `${prefix}draft:`)
  const extras = createExtrasStore(storage, `${prefix}draft-extras:`)
  const uploads = createUploadStore({
    extras,
    send: uploadFile,
    createKey: createClientMessageId,
    wordsOf: (error) => messageOf(error, ''),
    addressOf: (file) => URL.createObjectURL(file),
  })
  return {
    texts,
    extras,
    uploads,
    adopt: (id) => {
      texts.write(id, texts.read(newChatDraft))
      texts.write(newChatDraft, '')
      const written = extras.read(newChatDraft)
      extras.change(id, () => written)
      extras.change(newChatDraft, () => noExtras)
      uploads.move(newChatDraft, id)
    },
  }
}
