import type { ChatSummary } from '@parley/contracts'
import { useText } from '../../shared/i18n/index.ts'
import { classNames } from '../../shared/ui/index.ts'

interface Props {
  readonly chat: ChatSummary
  readonly selected: boolean
  readonly onToggle: (shift: boolean) => void
}

/** One chat of the list in selection mode. */
export function SelectRow({ chat, selected, onToggle }: Props) {
  const { t } = useText()
  return (
    <label
      className={classNames(
        'flex h-8.5 cursor-pointer select-none items-center gap-2.5 rounded-row px-2.5 pointer-coarse:h-11',
        selected ? 'bg-brand-weak text-ink' : 'text-ink-2 hover:bg-hover',
      )}
    >
      <input
        type="checkbox"
        data-row={chat._id}
        checked={selected}
        aria-label={t('history.selectOne', { title: chat.title })}
        // The click event knows Shift, also for Space; the change event does not.
        onClick={(event) => onToggle(event.shiftKey)}
        onChange={() => undefined}
        className="size-4 shrink-0 accent-brand"
      />
      <span dir="auto" className="truncate">
        {chat.title}
      </span>
    </label>
  )
}
