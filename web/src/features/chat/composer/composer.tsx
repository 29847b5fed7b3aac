import { lazy, type ReactNode, type Ref, Suspense, useImperativeHandle, useRef } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { classNames } from '../../../shared/ui/index.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import { canRead } from './attachments/attachment-rules.ts'
import { FileDrop } from './attachments/file-drop.tsx'
import { ModelSwitch } from './attachments/model-switch.tsx'
import { SlashMenu } from './commands/slash-menu.tsx'
import { useSlashMenu } from './commands/use-slash-menu.ts'
import { ComposerField } from './composer-field.tsx'
import { ComposerTools } from './composer-tools.tsx'
import { SendButton } from './send-button.tsx'
import { type ComposerInput, type ComposerState, useComposer } from './use-composer.ts'

const QuoteStrip = lazy(async () => ({ default: (await import('./finance/quote-strip.tsx')).QuoteStrip }))

/** What the page can do to the composer. */
export interface ComposerHandle {
  focus(): void
  /** Puts a text in, in front of what is there. */
  insert(text: string): void
  clear(): void
}

interface Props extends ComposerInput {
  readonly ref: Ref<ComposerHandle>
  readonly placeholder: string
  readonly stopping: boolean
  /** What is left to spend, with the price of what is about to be sent; null when unknown. */
  readonly meter: (price: number | null) => ReactNode
  readonly onStop: () => void
  /** Arrow up in an empty field; answers whether there was something to edit. */
  readonly onEditLast: () => boolean
}

/** The field to write in, with what goes with the text. Its text is its own state, so that typing draws nothing but the composer. */
export function Composer({ ref, placeholder, stopping, meter, onStop, onEditLast, ...input }: Props) {
  const { t } = useText()
  const { busy, drafts, models } = input
  const field = useRef<HTMLTextAreaElement>(null)
  const composer = useComposer(input)
  const { text, extras, modes, image, attaching } = composer
  const focus = () => field.current?.focus()
  const menu = useSlashMenu(text, composer.commands, (name) => composer.run(name, ''))
  useImperativeHandle(ref, () => handleOf(composer, focus))
  const price = (image ? models.image : models.model)?.creditsPerMessage ?? null
  const send = () => {
    composer.send()
    focus()
  }
  return (
    <div className="relative mx-auto max-w-dock rounded-dock border border-line-strong bg-overlay shadow-float focus-within:border-field-line">
      <FileDrop onFiles={attaching.attach} />
      {menu.open && (
        <SlashMenu
          id="composer-commands"
          commands={menu.commands}
          active={menu.active}
          onPick={(name) => composer.run(name, '')}
        />
      )}
      {modes.includes('finance') && !image && (
        <Suspense>
          <QuoteStrip text={text} />
        </Suspense>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <AttachmentList
          attachments={extras.attachments}
          uploads={attaching.uploads}
          pasted={extras.pasted}
          refused={(attachment) => models.model !== null && !canRead(models.model, [attachment])}
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
        {composer.unreadable && !image && <ModelSwitch models={models} attachments={extras.attachments} />}
        <ComposerField
          ref={field}
          text={text}
          placeholder={image ? t('composer.image.placeholder') : placeholder}
          menu={menu}
          onEdit={composer.edit}
          onPasted={composer.addPasted}
          onSend={send}
          onEditLast={onEditLast}
        />
        <div className="flex items-center gap-1 ps-2 pe-2 pt-1 pb-2 max-sm:flex-wrap">
          <ComposerTools composer={composer} input={input} field={field} />
          <p
            id="composer-note"
            role="status"
            className={classNames(
              'min-w-0 flex-1 text-end text-2xs max-sm:empty:flex-none',
              composer.excess > 0 ? 'text-danger' : 'text-ink-3',
            )}
          >
            {composer.note && t(composer.note, { count: composer.excess })}
          </p>
          {composer.note === null && <div className="flex min-w-0 justify-end max-sm:flex-1">{meter(price)}</div>}
          <SendButton busy={busy} stopping={stopping} ready={composer.ready} onStop={onStop} />
        </div>
      </form>
    </div>
  )
}

const handleOf = ({ edit, clear }: ComposerState, focus: () => void): ComposerHandle => ({
  focus,
  insert: (added) => {
    edit((now) => (now.trim() === '' ? added : `${added}\n\n${now}`))
    focus()
  },
  clear,
})
