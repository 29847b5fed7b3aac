import { maxMessageLength } from '@parley/contracts/constants'
import { useMemo } from 'react'
import { canRead } from './attachments/attachment-rules.ts'
import { offeredCommands, refusalOf } from './commands/slash-commands.ts'
import type { ComposerInput } from './composer-input.ts'
import { newChatDraft } from './draft-store.ts'
import { useModes } from './modes/use-modes.ts'
import { withPasted } from './pasted-text.ts'
import { type Gate, sendBlockerOf } from './send-blocker.ts'
import { useAttaching } from './use-attaching.ts'
import { useDraft, useExtras } from './use-draft.ts'

/** UTF-16 code units of an image prompt. */
const maxPromptLength = 4_000

/** A chat's draft with all its parts, and whether it can be sent. */
export function useMessageDraft({ chatId, drafts, guest, gate, models, onSignIn }: ComposerInput) {
  const key = chatId ?? newChatDraft
  const [text, changeText] = useDraft(drafts.texts, key)
  const [extras, changeExtras] = useExtras(drafts.extras, key)
  const attaching = useAttaching(drafts, key, guest, onSignIn)
  const offered = useModes()
  const imageReady = !guest && models.image.models.some(({ locked }) => !locked)
  const image = extras.image && imageReady
  const imageGate: Gate = models.image.model === null ? 'closed' : 'open'
  const modes = useMemo(() => extras.modes.filter((mode) => offered.includes(mode)), [extras.modes, offered])
  const commands = offeredCommands(offered, imageReady, chatId !== null)
  const message = image ? text : withPasted(text, extras.pasted)
  const writing = {
    blank: message.trim() === '',
    excess: message.length - (image ? maxPromptLength : maxMessageLength),
    attachments: extras.attachments.length,
    uploading: attaching.uploads.some(({ failure }) => failure === null),
    uploadFailed: attaching.uploads.some(({ failure }) => failure !== null),
    unreadable: models.text.model !== null && !canRead(models.text.model, extras.attachments),
    image,
    gate: image ? imageGate : gate,
  }
  const blocker = sendBlockerOf(writing)
  const refused = image ? null : refusalOf(text, commands, { guest, imagesLocked: models.image.models.length > 0 })
  return {
    ...{ text, extras, attaching, offered, imageReady, image, modes, commands, message, blocker, refused },
    ...{ blank: writing.blank, excess: writing.excess, unreadable: writing.unreadable, gate: writing.gate },
    ready: !writing.blank && blocker === null && refused === null,
    changeText,
    changeExtras,
    clear: () => {
      changeText(() => '')
      changeExtras((now) => ({ ...now, attachments: [], pasted: [], image: false }))
      attaching.dismiss()
    },
  }
}

export type MessageDraft = ReturnType<typeof useMessageDraft>
