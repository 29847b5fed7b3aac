import { useQuery } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useMemo, useState } from 'react'
import { historyQuery, messageOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button, ConfirmDialog, Skeleton } from '../../shared/ui/index.ts'
import { ChatList } from './chat-list.tsx'
import { ChatRow } from './chat-row.tsx'
import { ChatSearchField, FoundChats } from './chat-search.tsx'
import { chatOrder, groupChats } from './group-chats.ts'
import { ListHeader, SelectionBar } from './list-header.tsx'
import { SelectRow } from './select-row.tsx'
import { emptySelection, keepListed, neighbourOf, type Selection, toggleChat } from './selection.ts'
import { useFocusRow } from './use-focus-row.ts'
import { type HistoryActions, useHistoryActions } from './use-history-actions.ts'

interface Props {
  readonly chatId: string | null
  /** The sidebar, in which focus is moved. */
  readonly root: RefObject<HTMLElement | null>
}

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

/** The signed-in user's chats with the search over them. */
export function SavedChats({ chatId, root }: Props) {
  const [query, setQuery] = useState('')
  const [importing, setImporting] = useState(false)
  return (
    <>
      <ChatSearchField query={query} onChange={setQuery} />
      {query.trim() === '' ? (
        <AllChats chatId={chatId} root={root} onImport={() => setImporting(true)} />
      ) : (
        <FoundChats query={query} chatId={chatId} />
      )}
      {importing && (
        <Suspense>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </>
  )
}

interface ListProps extends Props {
  readonly onImport: () => void
}

function AllChats({ chatId, root, onImport }: ListProps) {
  const { t } = useText()
  const { data, error, refetch } = useQuery(historyQuery)
  if (data && data.length > 0) return <ListedChats chats={data} chatId={chatId} root={root} onImport={onImport} />
  if (data) {
    return (
      <>
        <ListHeader onImport={onImport} />
        <p className="px-5 py-1 text-sm text-ink-3">{t('history.empty')}</p>
      </>
    )
  }
  if (!error) {
    return (
      <div className="px-5 py-4">
        <Skeleton widths={['36%', '82%', '64%', '74%', '58%', '70%']} />
      </div>
    )
  }
  return (
    <div role="alert" className="px-5 py-3 text-sm text-ink-2">
      <p className="mb-3">{messageOf(error, t('history.failed'))}</p>
      <Button size="small" onClick={() => void refetch()}>
        {t('history.retry')}
      </Button>
    </div>
  )
}

type Asking = 'bulk' | 'clear' | null

function ListedChats({ chats, chatId, root, onImport }: ListProps & { chats: Parameters<typeof groupChats>[0] }) {
  const actions = useHistoryActions(chatId)
  const focusRow = useFocusRow(root)
  const [selection, setSelection] = useState<Selection | null>(null)
  const [asking, setAsking] = useState<Asking>(null)
  const rows = useMemo(() => groupChats(chats, new Date()), [chats])
  const order = useMemo(() => chatOrder(rows), [rows])
  const shown = selection && keepListed(selection, order)
  const withFocus: HistoryActions = {
    ...actions,
    remove: (chat) => {
      focusRow(neighbourOf(order, chat._id))
      actions.remove(chat)
    },
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
        if (event.key !== 'Escape' || !selection || asking) return
        event.preventDefault()
        endSelection()
      }}
    >
      {shown ? (
        <SelectionBar
          count={shown.ids.size}
          onAll={() => setSelection({ ids: new Set(order), anchor: null })}
          onDelete={() => setAsking('bulk')}
          onEnd={endSelection}
        />
      ) : (
        <ListHeader
          onImport={onImport}
          onSelect={() => setSelection(emptySelection)}
          onClear={() => setAsking('clear')}
        />
      )}
      <ChatList rows={rows}>
        {(chat) =>
          shown ? (
            <SelectRow
              chat={chat}
              selected={shown.ids.has(chat._id)}
              onToggle={(shift) => setSelection(toggleChat(shown, order, chat._id, shift))}
            />
          ) : (
            <ChatRow chat={chat} current={chat._id === chatId} actions={withFocus} focusRow={focusRow} />
          )
        }
      </ChatList>
      <Questions
        asking={asking}
        ids={shown ? [...shown.ids] : []}
        total={chats.length}
        actions={actions}
        onClose={() => setAsking(null)}
        onDone={endSelection}
      />
    </div>
  )
}

interface QuestionsProps {
  readonly asking: Asking
  readonly ids: readonly string[]
  readonly total: number
  readonly actions: HistoryActions
  readonly onClose: () => void
  readonly onDone: () => void
}

function Questions({ asking, ids, total, actions, onClose, onDone }: QuestionsProps) {
  const { t } = useText()
  const finish = (call: Promise<boolean>) => {
    onClose()
    void call.then((done) => {
      if (done) onDone()
    })
  }
  return (
    <>
      <ConfirmDialog
        open={asking === 'bulk'}
        onClose={onClose}
        title={t('history.bulkTitle', { count: ids.length })}
        text={t('history.bulkText', { count: ids.length })}
        confirmLabel={t('history.delete')}
        onConfirm={() => finish(actions.removeMany(ids))}
      />
      <ConfirmDialog
        open={asking === 'clear'}
        onClose={onClose}
        title={t('history.clearTitle')}
        text={t('history.clearText', { count: total })}
        confirmLabel={t('history.clear')}
        onConfirm={() => finish(actions.clear())}
      />
    </>
  )
}
