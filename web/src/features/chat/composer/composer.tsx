import { memo, type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { classNames } from '../../../shared/ui/index.ts'
import type { ThreadState } from '../thread/state/thread-state.ts'
import { FileDrop } from './attachments/file-drop.tsx'
import { fileWordOf, type Suggestion, suggestionsFor } from './commands/suggestions.ts'
import { useSlashMenu } from './commands/use-slash-menu.ts'
import { ComposerAttachments } from './composer-attachments.tsx'
import { inFrontOf, withQuotation } from './composer-drafts.ts'
import { ComposerField } from './composer-field.tsx'
import type { ComposerInput } from './composer-input.ts'
import { ComposerPanels } from './composer-panels.tsx'
import { ComposerTools } from './composer-tools.tsx'
import { SendButton } from './send-button.tsx'
import { type ComposerState, useComposer } from './use-composer.ts'
import { useComposerActions } from './use-composer-actions.ts'

interface Props extends ComposerInput {
  readonly ref: Ref<ComposerHandle>
  readonly placeholder: string
  readonly stopping: boolean
  /** Shows the remaining credits and the price of the draft; null if the price is unknown. */
  readonly meter: (price: number | null) => ReactNode
  readonly onStop: () => void
  /** Arrow up in an empty field; returns whether there was a message to edit. */
  readonly onEditLast: () => boolean
}

/** The message field with attachments and tools. It holds the text itself, so that typing renders only the composer. */
export function Composer({ ref, placeholder, stopping, meter, onStop, onEditLast, ...input }: Props) {
  const { t } = useText()
  const { busy, drafts, models } = input
  const field = useRef<HTMLTextAreaElement>(null)
  const composer = useComposer(input)
  const actions = useComposerActions(composer, input.onSignIn)
  const { text, modes, image, attaching } = composer
  const focus = () => field.current?.focus()
  const noneOffered = input.guest || image
  const fileWord = noneOffered ? undefined : fileWordOf(text)
  const [files, setFiles] = useState<readonly Suggestion[]>([])
  const offered = { commands: composer.commands, models: noneOffered ? [] : models.text.models }
  const suggestions = fileWord === undefined ? suggestionsFor(text, offered, t) : files
  const menu = useSlashMenu(text, suggestions, composer.pick)
  useImperativeHandle(ref, () => handleOf(composer, focus))
  const price = (image ? models.image : models.text).model?.creditsPerMessage ?? null
  const send = () => {
    composer.send()
    focus()
  }
  return (
    <div className="relative mx-auto max-w-dock rounded-dock border border-line-strong bg-overlay shadow-float focus-within:border-field-line">
      <FileDrop onFiles={attaching.attach} />
      <ComposerPanels composer={composer} menu={menu} fileWord={fileWord} onFiles={setFiles} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <ComposerAttachments composer={composer} input={input} focus={focus} />
        <ComposerField
          ref={field}
          text={text}
          placeholder={image ? t('composer.image.placeholder') : placeholder}
          menu={menu}
          onEdit={composer.edit}
          onPasted={composer.addPasted}
          onSend={send}
          onEditLast={onEditLast}
          prompts={drafts.prompts}
        />
        <div className="flex flex-wrap items-center gap-1 ps-2 pe-2 pt-1 pb-2">
          <ComposerTools
            chatId={input.chatId}
            guest={input.guest}
            models={models}
            offered={composer.offered}
            modes={modes}
            image={image}
            imageReady={composer.imageReady}
            actions={actions}
            field={field}
          />
          <p
            id="composer-note"
            role="status"
            className={classNames(
              'min-w-0 flex-1 text-end text-2xs empty:flex-none',
              // A phone has no room beside the tools.
              composer.note && 'pe-1 max-[28rem]:order-first max-[28rem]:basis-full max-[28rem]:pb-1.5',
              composer.excess > 0 ? 'text-danger' : 'text-ink-3',
            )}
          >
            {composer.note && t(composer.note, { count: composer.excess, command: composer.refusedCommand })}
          </p>
          {composer.note === null && <Meter draw={meter} price={price} />}
          <SendButton busy={busy} stopping={stopping} ready={composer.ready} onStop={onStop} />
        </div>
      </form>
    </div>
  )
}

/** The remaining credits; memoized, as they do not depend on the text. */
const Meter = memo(function Meter({ draw, price }: { draw: Props['meter']; price: number | null }) {
  return <div className="flex min-w-0 flex-1 justify-end pe-1">{draw(price)}</div>
})

/** What the page can do with the composer. */
export type ComposerHandle = ReturnType<typeof handleOf>

function handleOf({ text: now, edit, clear, attach }: ComposerState, focus: () => void) {
  /** Inserts a text before the present one. */
  const insert = (added: string) => {
    edit((now) => inFrontOf(added, now))
    focus()
  }
  return {
    focus,
    insert,
    /** Appends a quotation to be replied to. */
    quote: (text: string): void => {
      edit((now) => withQuotation(now, text))
      focus()
    },
    /** Puts an unsent message back before the present text, with its files and modes. */
    restore: ({ text, attachments, modes }: NonNullable<ThreadState['returned']>): void => {
      attach(attachments, modes)
      insert(text)
    },
    /** The text as it is now. */
    text: (): string => now,
    clear,
  }
}
