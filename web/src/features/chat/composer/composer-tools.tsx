import type { ChatMode } from '@parley/contracts'
import { Paperclip } from 'lucide-react'
import { memo, type RefObject, Suspense, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { lazyPart, useFirstScreen } from '../../../shared/lazy/index.ts'
import { classNames, IconButton } from '../../../shared/ui/index.ts'
import { acceptedTypes } from './attachments/attachment-rules.ts'
import type { ComposerInput } from './composer-input.ts'
import { EmojiButton } from './emoji/emoji-button.tsx'
import { ImageChip, ModeChips } from './modes/mode-chips.tsx'
import { ToolsMenu } from './modes/tools-menu.tsx'
import type { ComposerActions } from './use-composer-actions.ts'

const DictationTool = lazyPart(async () => (await import('./dictation/dictation-tool.tsx')).DictationTool)

const canDictate = 'SpeechRecognition' in globalThis || 'webkitSpeechRecognition' in globalThis

interface Props extends Pick<ComposerInput, 'chatId' | 'guest' | 'models'> {
  readonly offered: readonly ChatMode[]
  readonly modes: readonly ChatMode[]
  readonly image: boolean
  readonly imageReady: boolean
  readonly actions: ComposerActions
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** The composer's tools and active modes. They do not depend on the text, so typing does not render them. */
export const ComposerTools = memo(function ComposerTools(props: Props) {
  const { chatId, guest, offered, modes, image, imageReady, actions, field } = props
  const { t } = useText()
  const picker = useRef<HTMLInputElement>(null)
  const isReady = useFirstScreen()
  return (
    <>
      <div className="flex items-center gap-1 pointer-coarse:gap-2">
        <IconButton
          label={t('composer.attachments.attach')}
          // Guests are told to sign in, as they could not attach the file they picked.
          onClick={() => (guest ? actions.attach([new File([], '')]) : picker.current?.click())}
        >
          <Paperclip className="size-4.5" />
        </IconButton>
        <input
          ref={picker}
          type="file"
          multiple
          accept={acceptedTypes}
          aria-label={t('composer.attachments.attach')}
          tabIndex={-1}
          onChange={(event) => {
            actions.attach([...(event.target.files ?? [])])
            // Allows choosing the same file again after it was removed.
            event.target.value = ''
            field.current?.focus()
          }}
          className="hidden"
        />
        <ToolsMenu
          offered={offered}
          on={modes}
          image={imageReady ? image : null}
          guest={guest}
          onToggle={actions.toggleMode}
          onImage={() => actions.setImage(!image)}
          onSignIn={actions.signIn}
        />
        <EmojiButton onPick={(emoji) => insertAtCaret(field.current, emoji, actions.edit)} />
      </div>
      {canDictate && (
        // Reserves the button's space.
        <Suspense fallback={<span className="size-9" />}>
          {isReady ? <DictationTool chatId={chatId} field={field} edit={actions.edit} /> : <span className="size-9" />}
        </Suspense>
      )}
      <Chips {...props} />
    </>
  )
})

/** The active modes; several, or one on a phone, in a line of their own, as the credits would have no room beside them. */
function Chips({ models, modes, image, actions }: Props) {
  if (!image && modes.length === 0) return null
  return (
    <div
      className={classNames(
        'flex min-w-0 flex-wrap items-center gap-1.5',
        !image && modes.length > 1
          ? 'order-first basis-full pb-1.5'
          : 'max-sm:order-first max-sm:basis-full max-sm:pb-1.5',
      )}
    >
      {image ? (
        <ImageChip {...models.image} onRemove={() => actions.setImage(false)} />
      ) : (
        <ModeChips on={modes} onRemove={actions.toggleMode} />
      )}
    </div>
  )
}

/** Replaces the selection with a text and puts the caret after it. */
function insertAtCaret(
  field: HTMLTextAreaElement | null,
  added: string,
  edit: (next: (now: string) => string) => void,
): void {
  if (!field) return
  const { selectionStart, selectionEnd } = field
  edit((now) => now.slice(0, selectionStart) + added + now.slice(selectionEnd))
  field.focus()
  const caret = selectionStart + added.length
  requestAnimationFrame(() => field.setSelectionRange(caret, caret))
}
