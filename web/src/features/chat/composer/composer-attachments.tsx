import { Suspense } from 'react'
import { earlyPart, lazyPart } from '../../../shared/lazy/index.ts'
import { canRead } from './attachments/attachment-rules.ts'
import type { ComposerInput } from './composer-input.ts'
import type { ComposerState } from './use-composer.ts'

const AttachmentList = earlyPart(async () => (await import('./attachments/attachment-list.tsx')).AttachmentList)
const ModelSwitch = earlyPart(async () => (await import('./attachments/model-switch.tsx')).ModelSwitch)
const RefusedFiles = lazyPart(async () => (await import('./attachments/refused-files.tsx')).RefusedFiles)

interface Props {
  readonly composer: ComposerState
  readonly input: Pick<ComposerInput, 'drafts' | 'models'>
  readonly focus: () => void
}

/** What will be sent besides the text, and what cannot be. */
export function ComposerAttachments({ composer, input: { drafts, models }, focus }: Props) {
  const { extras, attaching } = composer
  return (
    <Suspense>
      {extras.attachments.length + attaching.uploads.length + extras.pasted.length > 0 && (
        <AttachmentList
          attachments={extras.attachments}
          uploads={attaching.uploads}
          pasted={extras.pasted}
          refused={(attachment) => models.text.model !== null && !canRead(models.text.model, [attachment])}
          preview={drafts.uploads.preview}
          onRemove={composer.removeAttachment}
          onRemoveUpload={drafts.uploads.remove}
          onRetry={drafts.uploads.retry}
          onRemovePasted={composer.removePasted}
          onInline={(index) => {
            const pasted = extras.pasted[index] ?? ''
            composer.removePasted(index)
            composer.edit((now) => now + pasted)
            focus()
          }}
        />
      )}
      {attaching.refused.length > 0 && (
        // Its own boundary, so that the attachments stay visible while this loads.
        <Suspense>
          <RefusedFiles files={attaching.refused} onDismiss={attaching.dismiss} />
        </Suspense>
      )}
      {composer.unreadable && !composer.image && <ModelSwitch {...models.text} attachments={extras.attachments} />}
    </Suspense>
  )
}
