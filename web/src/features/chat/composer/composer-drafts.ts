import { messageOf, uploadFile } from '../../../shared/api/index.ts'
import type { TextStorage } from '../../../shared/session/index.ts'
import { createClientMessageId } from '../stream/client-message-id.ts'
import type { ThreadState } from '../thread/state/thread-state.ts'
import { createUploadStore } from './attachments/upload-store.ts'
import { createExtrasStore, noExtras } from './draft-extras.ts'
import { createDraftStore, newChatDraft } from './draft-store.ts'
import { createPromptStore } from './earlier-prompts.ts'

/** Puts a text before the present one. */
export const inFrontOf = (added: string, text: string): string => (text.trim() === '' ? added : `${added}\n\n${text}`)

/** Puts a quotation to be replied to after the present text. */
export const withQuotation = (text: string, quoted: string): string =>
  `${text.trim() === '' ? '' : `${text.trimEnd()}\n\n`}${quoted.replace(/^/gm, '> ')}\n\n`

/** The drafts of all chats, in `storage` under `prefix`: texts, extras and uploads; and sent prompts, for recall. */
export function createComposerDrafts(storage: () => TextStorage, prefix: string) {
  const texts = createDraftStore(storage, `${prefix}draft:`)
  const extras = createExtrasStore(storage, `${prefix}draft-extras:`)
  const uploads = createUploadStore({
    extras,
    send: uploadFile,
    createKey: createClientMessageId,
    wordsOf: (error) => messageOf(error, ''),
    addressOf: (file) => URL.createObjectURL(file),
    release: (address) => URL.revokeObjectURL(address),
  })
  return {
    texts,
    extras,
    uploads,
    prompts: createPromptStore(storage, `${prefix}prompts`),
    /** Moves the new chat's draft to its id, including what was typed meanwhile. */
    adopt: (id: string): void => {
      texts.write(id, texts.read(newChatDraft))
      texts.write(newChatDraft, '')
      const written = extras.read(newChatDraft)
      extras.change(id, () => written)
      extras.change(newChatDraft, () => noExtras)
      uploads.move(newChatDraft, id)
    },
    /** Puts the draft of a chat that was deleted elsewhere before that of the new chat. */
    rescue: (id: string): void => {
      const [left, lost] = [texts.read(id), extras.read(id)]
      if (left.trim() !== '') texts.write(newChatDraft, inFrontOf(left, texts.read(newChatDraft)))
      texts.write(id, '')
      extras.change(newChatDraft, (now) => ({
        ...now,
        attachments: [...lost.attachments, ...now.attachments],
        pasted: [...lost.pasted, ...now.pasted],
      }))
      extras.change(id, () => noExtras)
      uploads.move(id, newChatDraft)
    },
    /** Puts an unsent message before the draft of its chat (null for the new one), with its files and modes. */
    giveBack: (chatId: string | null, { text, attachments, modes }: NonNullable<ThreadState['returned']>): void => {
      const key = chatId ?? newChatDraft
      texts.write(key, inFrontOf(text, texts.read(key)))
      extras.change(key, (now) => ({ ...now, attachments: [...attachments, ...now.attachments], modes }))
    },
  }
}

export type ComposerDrafts = ReturnType<typeof createComposerDrafts>
