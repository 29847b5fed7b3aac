import type { ChatSummary } from '@parley/contracts'
import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { messageOf } from '../../shared/api/index.ts'
import { Highlighted, useChatSearch } from '../../shared/chats/index.ts'
import { closeDrawer } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { isComposing, keyLabels, useShortcutKeys } from '../../shared/keyboard/index.ts'
import { classNames, IconButton, Link } from '../../shared/ui/index.ts'

interface FieldProps {
  readonly query: string
  readonly onChange: (query: string) => void
}

/** The search field above the list, next to the list's actions, which replace it in selection mode. Escape clears it; arrow down moves to the results. */
export function ChatSearchField({ query, onChange }: FieldProps) {
  const { t, locale } = useText()
  const palette = useShortcutKeys((keys) => keys.palette)
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="ms-2.5 me-12 mb-1 flex h-9 shrink-0 items-center gap-2.5 rounded-card px-2.5 focus-within:bg-hover hover:bg-hover [[data-chats]:has([data-in-search-row])_&]:invisible pointer-coarse:h-11">
      <Search className="size-4.5 shrink-0 text-ink-2" />
      <input
        ref={field}
        type="search"
        value={query}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '' || isComposing(event.nativeEvent)) return
          event.preventDefault()
          onChange('')
        }}
        maxLength={200}
        dir="auto"
        aria-label={t('history.search')}
        placeholder={t('history.search')}
        className="h-full min-w-0 flex-1 bg-transparent text-ellipsis outline-none placeholder:text-ink-2 pointer-coarse:text-[1rem] [&::-webkit-search-cancel-button]:hidden"
      />
      {query === '' ? (
        <span
          aria-hidden="true"
          className="shrink-0 rounded-md border border-line px-1.5 font-mono text-2xs whitespace-nowrap text-ink-3 pointer-coarse:hidden"
        >
          {keyLabels(palette, navigator.platform, locale).join(' ')}
        </span>
      ) : (
        <IconButton
          label={t('history.searchClear')}
          size="small"
          onClick={() => {
            onChange('')
            field.current?.focus()
          }}
        >
          <X className="size-4" />
        </IconButton>
      )}
    </div>
  )
}

interface FoundProps {
  readonly query: string
  /** Searches archived chats instead. */
  readonly archived: boolean
  readonly chatId: string | null
}

/** The chats that contain the words, each with the matching excerpt. */
export function FoundChats({ query, archived, chatId }: FoundProps) {
  const { t } = useText()
  const { chats, pending, error } = useChatSearch(query, { archived })
  const text = chats === undefined ? 'history.searching' : 'history.found'
  return (
    <nav aria-label={t('history.search')} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2.5 pb-3">
      {error !== null && error !== undefined ? (
        <p role="alert" className="px-2.5 py-2 text-ink-2 text-sm">
          {messageOf(error, t('history.searchFailed'))}
        </p>
      ) : (
        <p role="status" className="px-2.5 py-2 text-2xs text-ink-3">
          {t(text, { count: chats?.length ?? 0 })}
        </p>
      )}
      <ul className={classNames('transition-opacity', pending && 'opacity-60')}>
        {chats?.map((chat) => (
          <li key={chat._id}>
            <FoundChat chat={chat} query={query} current={chat._id === chatId} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function FoundChat({ chat, query, current }: { chat: ChatSummary; query: string; current: boolean }) {
  const { match } = chat
  const address = `/c/${chat._id}`
  return (
    <Link
      to={match ? `${address}?${new URLSearchParams({ m: match.messageId, q: query })}` : address}
      aria-current={current ? 'page' : undefined}
      onClick={closeDrawer}
      className={classNames(
        'block rounded-row px-2.5 py-1.5 hover:bg-hover pointer-coarse:py-2.5',
        current ? 'bg-active text-ink' : 'text-ink-2',
      )}
    >
      <span dir="auto" className="block w-fit max-w-full truncate text-ink">
        <Highlighted text={chat.title} query={query} />
      </span>
      {match && (
        <span dir="auto" className="line-clamp-2 text-sm">
          <Highlighted text={match.snippet} query={query} />
        </span>
      )}
    </Link>
  )
}
