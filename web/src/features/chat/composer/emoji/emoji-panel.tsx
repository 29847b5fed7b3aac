import { EmojiPicker, type EmojiPickerListComponents } from 'frimousse'
import { type AriaAttributes, useEffect } from 'react'
import { useInterfaceLocale, useText } from '../../../../shared/i18n/index.ts'
import { dropOtherEmoji, emojiSource } from './emoji-source.ts'

/** The 1-based position that ARIA requires; the picker counts rows and columns from 0. */
function fromOne<P extends AriaAttributes>(props: P): P {
  const { 'aria-rowindex': row, 'aria-colindex': column } = props
  return {
    ...props,
    ...(row !== undefined && { 'aria-rowindex': row + 1 }),
    ...(column !== undefined && { 'aria-colindex': column + 1 }),
  }
}

const parts: EmojiPickerListComponents = {
  CategoryHeader: ({ category, ...props }) => (
    <div {...props} className="bg-overlay px-3 pt-3 pb-1 font-medium text-2xs text-ink-3">
      {category.label}
    </div>
  ),
  Row: (props) => <div {...fromOne(props)} className="px-1.5 pointer-coarse:px-1" />,
  Emoji: ({ emoji, ...props }) => (
    <button
      {...fromOne(props)}
      type="button"
      className="grid size-9 place-items-center rounded-row text-xl data-[active]:bg-active pointer-coarse:size-11"
    >
      {emoji.emoji}
    </button>
  ),
}

/** Search field and grid of emoji, labelled in the interface's language; arrow keys move in the grid, Enter picks. */
export function EmojiPanel({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useText()
  const { locale } = useInterfaceLocale()
  useEffect(() => dropOtherEmoji(emojiSource(locale)), [locale])
  return (
    <EmojiPicker.Root
      {...emojiSource(locale)}
      columns={matchMedia('(pointer: coarse)').matches ? 7 : 8}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
      className="flex h-full flex-col"
    >
      <EmojiPicker.Search
        autoFocus
        aria-label={t('composer.emoji.search')}
        placeholder={t('composer.emoji.search')}
        className="mx-2 mt-2 h-10 shrink-0 rounded-card border border-field-line bg-overlay px-3 text-[1rem] outline-none placeholder:text-ink-3 focus:border-brand pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden"
      />
      <EmojiPicker.Viewport className="relative min-h-0 flex-1 outline-none">
        <EmojiPicker.Loading className="absolute inset-0 grid place-items-center text-ink-3 text-sm">
          {t('composer.emoji.loading')}
        </EmojiPicker.Loading>
        <EmojiPicker.Empty className="absolute inset-0 grid place-items-center text-ink-3 text-sm">
          {t('composer.emoji.empty')}
        </EmojiPicker.Empty>
        <EmojiPicker.List className="select-none pb-2" components={parts} />
      </EmojiPicker.Viewport>
    </EmojiPicker.Root>
  )
}
