import type { Attachment } from '@parley/contracts'
import { FileText, Image } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { type MessageId, useText } from '../../../../shared/i18n/index.ts'
import { classNames } from '../../../../shared/ui/index.ts'
import type { Suggestion } from './suggestions.ts'

interface Props {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  /** The index of the highlighted option. */
  readonly active: number
  readonly onPick: (suggestion: Suggestion) => void
}

const labels = {
  command: 'composer.commands.title',
  model: 'models.picker.list',
  file: 'composer.files.list',
} as const satisfies Record<Suggestion['type'], MessageId>

/** Pixels between the list and the header, and the least height of the list. */
const gap = 8
const leastHeight = 96

/** The suggestions above the field. The field keeps the focus and handles the keys. */
export function SlashMenu({ id, suggestions, active, onPick }: Props) {
  const { t } = useText()
  const list = useRef<HTMLDivElement>(null)
  // In an empty chat the field is in the middle, and a long list would begin behind the header.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field grows with what is typed
  useLayoutEffect(() => {
    const top = list.current?.closest('main')?.getBoundingClientRect().top ?? 0
    const room = (list.current?.getBoundingClientRect().bottom ?? 0) - top - gap
    list.current?.style.setProperty('max-height', `min(18rem, ${Math.max(leastHeight, room)}px)`)
  }, [suggestions])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the active option
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      // Chromium makes what scrolls focusable by itself; other browsers need this.
      tabIndex={0}
      aria-label={t(labels[suggestions[0]?.type ?? 'command'])}
      className="absolute inset-x-0 bottom-full z-20 mb-2 overflow-y-auto rounded-xl border border-line-strong bg-overlay p-1 shadow-float"
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys for all options
        // biome-ignore lint/a11y/useFocusableInteractive: options are reached through aria-activedescendant
        <div
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(suggestion)}
          className={classNames(
            'flex min-h-9 cursor-pointer items-center gap-3 rounded-row px-2.5 hover:bg-hover pointer-coarse:min-h-11',
            index === active && 'bg-active forced-colors:outline forced-colors:-outline-offset-1',
            // File names are long and often begin alike: on a phone they have a line of their own.
            suggestion.type === 'file' && 'max-sm:flex-wrap max-sm:gap-y-0 max-sm:py-1.5',
          )}
        >
          {suggestion.type === 'file' && <FileIcon type={suggestion.file.type} />}
          <span
            dir="auto"
            className={
              suggestion.type === 'command'
                ? 'w-20 shrink-0 font-mono text-sm text-brand'
                : classNames('truncate', suggestion.type === 'file' && 'max-sm:flex-1')
            }
          >
            {suggestion.word}
          </span>
          <span
            className={classNames(
              'text-sm text-ink-2',
              suggestion.type === 'command' ? 'min-w-0 py-1' : 'ms-auto shrink-0',
              suggestion.type === 'file' && 'max-sm:basis-full max-sm:ps-7',
            )}
          >
            {suggestion.description}
          </span>
        </div>
      ))}
    </div>
  )
}

function FileIcon({ type }: { type: Attachment['type'] }) {
  const Icon = type === 'image' ? Image : FileText
  return <Icon className="size-4 shrink-0 text-ink-2" />
}
