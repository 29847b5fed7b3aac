import type { ChatSummary } from '@parley/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, type RefObject, Suspense, useMemo, useState } from 'react'
import { archiveQuery, historyQuery, listedChats } from '../../shared/api/index.ts'
import { LaterTexts, useText } from '../../shared/i18n/index.ts'
import { earlyPart, lazyPart } from '../../shared/lazy/index.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { useDay } from '../../shared/use-day.ts'
import { ChatList, type MoreChats } from './chat-list.tsx'
import { ChatRow } from './chat-row.tsx'
import { ChatSearchField, FoundChats } from './chat-search.tsx'
import { chatOrder, groupChats, startOfDay } from './group-chats.ts'
import { ListHeader, SelectionBar } from './list-header.tsx'
import type { Question } from './list-questions.tsx'
import { SelectRow } from './select-row.tsx'
import { emptySelection, keepListed, neighbourOf, type Selection, toggleChat } from './selection.ts'
import { useFocusRow } from './use-focus-row.ts'
import { type HistoryActions, useHistoryActions } from './use-history-actions.ts'

interface Props {
  readonly chatId: string | null
  /** The sidebar, within which the focus is moved. */
  readonly root: RefObject<HTMLElement | null>
}

const ListQuestions = earlyPart(async () => (await import('./list-questions.tsx')).ListQuestions)
const ChatImport = lazyPart(async () => (await import('./chat-import.tsx')).ChatImport)

/** The signed-in user's chats with their search. */
export function SavedChats({ chatId, root }: Props) {
  const [query, setQuery] = useState('')
  const [importing, setImporting] = useState(false)
  const [archived, setArchived] = useState(false)
  const focusRow = useFocusRow(root)
  const onOtherList = () => {
    setArchived(!archived)
    if (archived) focusRow(chatId)
  }
  const list = { archived, onOtherList, onImport: () => setImporting(true) }
  return (
    <div data-chats className="relative flex min-h-0 flex-1 flex-col">
      <ChatSearchField query={query} onChange={setQuery} />
      {query.trim() === '' ? (
        <AllChats key={String(archived)} chatId={chatId} root={root} list={list} />
      ) : (
        <FoundChats query={query} archived={archived} chatId={chatId} />
      )}
      {importing && (
        <Suspense>
          <LaterTexts part="panels">
            <ChatImport onClose={() => setImporting(false)} />
          </LaterTexts>
        </Suspense>
      )}
    </div>
  )
}

interface ListProps extends Props {
  readonly list: Pick<ComponentProps<typeof ListHeader>, 'archived' | 'onOtherList' | 'onImport'>
}

function AllChats({ chatId, root, list }: ListProps) {
  const { t } = useText()
  const history = useInfiniteQuery({ ...(list.archived ? archiveQuery : historyQuery), select: listedChats })
  const more = { wanted: history.hasNextPage, failed: history.isFetchNextPageError, load: history.fetchNextPage }
  const empty = (
    <>
      <ListHeader {...list} />
      <p className="px-5 py-1 text-sm text-ink-3">{t(list.archived ? 'history.archiveEmpty' : 'history.empty')}</p>
    </>
  )
  return (
    <Loaded query={history} failed={t('history.failed')} shape={shape} className="px-5 py-4 text-sm">
      {(chats) => (chats.length === 0 ? empty : <ListedChats {...{ chats, more, chatId, root, list }} />)}
    </Loaded>
  )
}

const shape = ['36%', '82%', '64%', '74%', '58%', '70%']

/** The chats of all pages; if one fails, of those that could be loaded. */
async function loadAll(listed: readonly ChatSummary[], more: MoreChats): Promise<readonly ChatSummary[]> {
  let all = listed
  for (let isMore = more.wanted; isMore; ) {
    const { data, hasNextPage, isError } = await more.load()
    all = data ?? all
    isMore = hasNextPage && !isError
  }
  return all
}

const startOfToday = () => startOfDay(new Date(), 0)

interface ListedProps extends ListProps {
  readonly chats: readonly ChatSummary[]
  readonly more: MoreChats
}

function ListedChats({ chats, more, chatId, root, list }: ListedProps) {
  const actions = useHistoryActions(chatId)
  const focusRow = useFocusRow(root)
  const [selection, setSelection] = useState<Selection | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [renamed, setRenamed] = useState<string | null>(null)
  // Stays mounted: a dialog that closes gives the focus back.
  const [asked, setAsked] = useState(false)
  const ask = (next: Question) => {
    setQuestion(next)
    setAsked(true)
  }
  const today = useDay(startOfToday)
  const rows = useMemo(() => groupChats(chats, new Date(today)), [chats, today])
  const order = useMemo(() => chatOrder(rows), [rows])
  const shown = selection && keepListed(selection, order)
  const withFocus: HistoryActions = {
    ...actions,
    archive: (ids, archived) => {
      focusRow(neighbourOf(order, ids[0] ?? ''))
      return actions.archive(ids, archived)
    },
    remove: (chat) => {
      focusRow(neighbourOf(order, chat._id))
      actions.remove(chat)
    },
  }
  const selectAll = async () => {
    const all = await loadAll(chats, more)
    setSelection((now) => now && { ids: new Set(all.map(({ _id }) => _id)), anchor: null })
  }
  const endSelection = () => {
    setSelection(null)
    focusRow(chatId)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is caught for what is inside
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !selection || question) return
        event.preventDefault()
        endSelection()
      }}
    >
      {shown ? (
        <SelectionBar
          count={shown.ids.size}
          archived={list.archived}
          onAll={() => void selectAll()}
          onArchive={() => {
            void actions.archive([...shown.ids], !list.archived).then((done) => done && endSelection())
          }}
          onDelete={() => ask('bulk')}
          onEnd={endSelection}
        />
      ) : (
        <ListHeader {...list} onSelect={() => setSelection(emptySelection)} onClear={() => ask('clear')} />
      )}
      <ChatList rows={rows} more={more} kept={renamed}>
        {(chat) =>
          shown ? (
            <SelectRow
              chat={chat}
              selected={shown.ids.has(chat._id)}
              onToggle={(shift) => setSelection(toggleChat(shown, order, chat._id, shift))}
            />
          ) : (
            <ChatRow
              chat={chat}
              current={chat._id === chatId}
              renaming={chat._id === renamed}
              onRenaming={(renaming) => setRenamed(renaming ? chat._id : null)}
              actions={withFocus}
              focusRow={focusRow}
            />
          )
        }
      </ChatList>
      {asked && (
        <Suspense>
          <LaterTexts part="panels">
            <ListQuestions
              question={question}
              ids={shown ? [...shown.ids] : []}
              actions={actions}
              onClose={() => setQuestion(null)}
              onDone={endSelection}
            />
          </LaterTexts>
        </Suspense>
      )}
    </div>
  )
}
