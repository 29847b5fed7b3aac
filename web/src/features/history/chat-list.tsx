import type { ChatSummary } from '@parley/contracts'
import { type KeyboardEvent, type ReactElement, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { useText } from '../../shared/i18n/index.ts'
import type { HistoryRow } from './group-chats.ts'

interface Props {
  readonly rows: readonly HistoryRow[]
  readonly children: (chat: ChatSummary) => ReactElement
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const from = (event.target as HTMLElement).closest('[data-row]')
  if (step === undefined || !from) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const next = all[all.indexOf(from as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The scrolling list: only lines near the window exist, however many chats there are. Arrow keys move between chats. */
export function ChatList({ rows, children }: Props) {
  const { t } = useText()
  const scroller = useRef<HTMLElement>(null)
  return (
    <nav
      ref={scroller}
      aria-label={t('history.title')}
      onKeyDown={moveByArrows}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2.5 pb-3"
    >
      <Virtualizer scrollRef={scroller} as="ul" item="li" data={rows} itemSize={34}>
        {(row) =>
          row.type === 'chat' ? (
            <div key={row.key} className="relative">
              {children(row.chat)}
            </div>
          ) : (
            <Heading key={row.key} row={row} />
          )
        }
      </Virtualizer>
    </nav>
  )
}

function Heading({ row }: { row: Extract<HistoryRow, { type: 'heading' }> }) {
  const { t, locale } = useText()
  const text =
    'group' in row
      ? t(`history.${row.group}`)
      : new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }).format(row.month)
  return <h3 className="px-2.5 pt-3.5 pb-1 text-2xs font-[500] text-ink-3">{text}</h3>
}
