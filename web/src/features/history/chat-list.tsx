import type { ChatSummary } from '@parley/contracts'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { useText } from '../../shared/i18n/index.ts'
import { dateFormat } from '../../shared/intl.ts'
import { isModified } from '../../shared/keyboard/index.ts'
import { Button } from '../../shared/ui/index.ts'
import type { HistoryRow } from './group-chats.ts'

/** Chats that are not loaded yet. */
export interface MoreChats {
  readonly wanted: boolean
  /** The last attempt to load them failed. */
  readonly failed: boolean
  readonly load: UseInfiniteQueryResult<ChatSummary[]>['fetchNextPage']
}

interface Props {
  readonly rows: readonly HistoryRow[]
  readonly more: MoreChats
  /** The key of a row that stays mounted while it is scrolled out of view. */
  readonly kept: string | null
  readonly children: (chat: ChatSummary) => ReactElement
}

function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const from = (event.target as HTMLElement).closest('[data-row]')
  if (step === undefined || !from || isModified(event)) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')]
  const next = all[all.indexOf(from as HTMLElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The virtualised list of chats. Arrow keys move between chats. */
export function ChatList({ rows, more, kept, children }: Props) {
  const { t } = useText()
  const scroller = useRef<HTMLElement>(null)
  return (
    <nav
      ref={scroller}
      aria-label={t('history.title')}
      onKeyDown={moveByArrows}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2.5 pb-3"
    >
      <Virtualizer
        scrollRef={scroller}
        as="ul"
        item="li"
        data={rows}
        itemSize={34}
        keepMounted={rows.flatMap(({ key }, index) => (key === kept ? [index] : []))}
      >
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
      {more.wanted && <ListEnd more={more} rows={rows} scroller={scroller} />}
    </nav>
  )
}

/** Distance in pixels below the window at which more chats are loaded. */
const ahead = 600

/** Loads more chats when the end of the list comes near. */
function ListEnd({ more, rows, scroller }: Pick<Props, 'more' | 'rows'> & { scroller: RefObject<HTMLElement | null> }) {
  const { t } = useText()
  const end = useRef<HTMLDivElement>(null)
  const { failed, load } = more
  // biome-ignore lint/correctness/useExhaustiveDependencies: after more rows came the end may still be near
  useEffect(() => {
    if (failed || end.current === null) return
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) void load({ cancelRefetch: false })
      },
      { root: scroller.current, rootMargin: `0px 0px ${ahead}px 0px` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [failed, load, rows, scroller])
  return (
    <div ref={end} className="min-h-px px-2.5">
      {failed && (
        <div role="alert" className="py-2 text-sm text-ink-2">
          <p className="mb-2">{t('history.failed')}</p>
          <Button size="small" onClick={() => void load()}>
            {t('shared.retry')}
          </Button>
        </div>
      )}
    </div>
  )
}

function Heading({ row }: { row: Extract<HistoryRow, { type: 'heading' }> }) {
  const { t, locale } = useText()
  const text =
    'group' in row
      ? t(`history.${row.group}`)
      : dateFormat(locale, { month: 'long', year: 'numeric' }).format(row.month)
  return <h3 className="px-2.5 pt-3.5 pb-1 text-2xs font-[500] text-ink-3">{text}</h3>
}
