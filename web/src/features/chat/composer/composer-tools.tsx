import { Paperclip } from 'lucide-react'
import { type RefObject, Suspense, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { lazyPart, useFirstScreen } from '../../../shared/lazy/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import { acceptedTypes } from './attachments/attachment-rules.ts'
import { EmojiButton } from './emoji/emoji-button.tsx'
import { ImageChip, ModeChips } from './modes/mode-chips.tsx'
import { ToolsMenu } from './modes/tools-menu.tsx'
import type { ComposerInput, ComposerState } from './use-composer.ts'

const DictationTool = lazyPart(async () => (await import('./dictation/dictation-tool.tsx')).DictationTool)

/** Whether the browser turns speech into text. */
const canDictate = 'SpeechRecognition' in globalThis || 'webkitSpeechRecognition' in globalThis

interface Props {
  readonly composer: ComposerState
  readonly input: ComposerInput
  readonly field: RefObject<HTMLTextAreaElement | null>
}

/** The buttons at the start of the composer's row, and the modes that are on. */
export function ComposerTools({ composer, input, field }: Props) {
  const { t } = useText()
  const picker = useRef<HTMLInputElement>(null)
  const { guest } = input
  const isReady = useFirstScreen()
  const { image, attaching, edit } = composer
  return (
    <>
      <div className="flex items-center gap-1 pointer-coarse:gap-2">
        <IconButton
          label={t('composer.attachments.attach')}
          // A guest is told why not, rather than shown a picker in vain.
          onClick={() => (guest ? attaching.attach([new File([], '')]) : picker.current?.click())}
        >
          <Paperclip aria-hidden="true" className="size-4.5" strokeWidth={1.6} />
        </IconButton>
        <input
          ref={picker}
          type="file"
          multiple
          accept={acceptedTypes}
          aria-label={t('composer.attachments.attach')}
          tabIndex={-1}
          onChange={(event) => {
            attaching.attach([...(event.target.files ?? [])])
            // The same file may be chosen again after it was removed.
            event.target.value = ''
            field.current?.focus()
          }}
          className="hidden"
        />
        <ToolsMenu
          offered={composer.offered}
          on={composer.modes}
          image={composer.imageReady ? image : null}
          guest={guest}
          onToggle={composer.toggleMode}
          onImage={() => composer.setImage(!image)}
          onSignIn={input.onSignIn}
        />
        <EmojiButton onPick={(emoji) => insertAtCaret(field.current, emoji, edit)} />
      </div>
      {canDictate && (
        // Its place is kept for it.
        <Suspense fallback={<span className="size-9" />}>
          {isReady ? <DictationTool chatId={input.chatId} field={field} edit={edit} /> : <span className="size-9" />}
        </Suspense>
      )}
      <Chips composer={composer} input={input} />
    </>
  )
}

/** What is on: a line of its own on a phone. */
function Chips({ composer, input }: Pick<Props, 'composer' | 'input'>) {
  const { models } = input
  if (!composer.image && composer.modes.length === 0) return null
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5 lg:shrink-0 max-sm:order-first max-sm:basis-full max-sm:pb-1.5">
      {composer.image ? (
        <ImageChip
          models={models.images}
          model={models.image}
          onChoose={models.chooseImage}
          onRemove={() => composer.setImage(false)}
        />
      ) : (
        <ModeChips on={composer.modes} onRemove={composer.toggleMode} />
      )}
    </div>
  )
}

/** Puts a text where the caret is, in the place of what is selected, and the caret behind it. */
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
