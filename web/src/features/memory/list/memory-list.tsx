import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { Button, useFocusAfter } from '../../../shared/ui/index.ts'
import { MemoryForm } from '../memory-form.tsx'
import { MoreButton } from '../panel/more-button.tsx'
import { framed, Nothing } from '../panel/nothing.tsx'
import { type MemoryFilter, memoriesQuery, noFilter } from '../queries.ts'
import type { MemoryActions } from '../use-memory-actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListMenu } from './list-menu.tsx'
import { MemoryRow } from './memory-row.tsx'
import { keepListed, type Selected, toggle, toggleAll } from './selection.ts'

const icon = 'size-4'
const nothing: Selected = new Set()

interface Props {
  readonly actions: MemoryActions
  readonly chatPath: (chatId: string) => string
  readonly query: string
  /** A link of the panel is about to be followed. */
  readonly onLeave: () => void
}

/** The stored memories: searched, filtered, edited and removed, one by one or in bulk. */
export function MemoryList({ actions, chatPath, query: firstQuery, onLeave }: Props) {
  const { t } = useText()
  const [filter, setFilter] = useState<MemoryFilter>({ ...noFilter, query: firstQuery })
  const [adding, setAdding] = useState(false)
  const [ticked, setTicked] = useState(nothing)
  const list = useRef<HTMLUListElement>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const endAdding = () => {
    setAdding(false)
    adder.current?.focus()
  }
  const pages = useInfiniteQuery(memoriesQuery(filter))
  const memories = pages.data?.pages.flatMap(({ items }) => items) ?? []
  const ids = memories.map(({ id }) => id)
  const selected = keepListed(ticked, ids)
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(noFilter)
  const focusAfter = useFocusAfter(list, memories.length)
  const remove = (gone: ReadonlySet<string>) => {
    focusAfter(ids.findIndex((id) => gone.has(id)))
    setTicked(nothing)
    void actions.remove(memories.filter(({ id }) => gone.has(id)))
  }
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <FilterBar filter={filter} onChange={setFilter} />
        <div className="ms-auto flex items-center gap-1">
          <Button ref={adder} onClick={() => setAdding(true)} aria-expanded={adding}>
            <Plus className={icon} />
            {t('memory.add')}
          </Button>
          <ListMenu actions={actions} />
        </div>
      </div>
      {adding && (
        <div className="mb-3 rounded-card border border-line p-4">
          <MemoryForm
            before={{ text: '', category: 'general' }}
            submitLabel={t('memory.remember')}
            fallback="memory.add.failed"
            submit={async (values) => {
              await actions.add(values)
              endAdding()
            }}
            onCancel={endAdding}
          />
        </div>
      )}
      {memories.length > 0 && (
        <BulkBar
          count={selected.size}
          all={selected.size === memories.length}
          onAll={() => setTicked(toggleAll(selected, ids))}
          onRemove={() => remove(selected)}
          onCategory={(category) => {
            const chosen = memories.filter(({ id }) => selected.has(id))
            setTicked(nothing)
            void actions.changeCategory(chosen, category)
          }}
        />
      )}
      <Loaded
        query={pages}
        failed={t('memory.failed')}
        shape={['80%', '30%', '65%', '30%', '90%', '30%']}
        className={framed}
      >
        {() =>
          memories.length === 0 ? (
            <Empty filtered={isFiltered} onReset={() => setFilter(noFilter)} />
          ) : (
            <ul
              ref={list}
              aria-label={t('memory.tab.memories')}
              className="divide-y divide-line rounded-card border border-line"
            >
              {memories.map((memory) => (
                <MemoryRow
                  key={memory.id}
                  memory={memory}
                  selected={selected.has(memory.id)}
                  actions={actions}
                  chatPath={chatPath}
                  onSelect={() => setTicked(toggle(selected, memory.id))}
                  onRemove={(forGood) => {
                    if (!forGood) return remove(new Set([memory.id]))
                    focusAfter(ids.indexOf(memory.id))
                    void actions.removeForGood(memory)
                  }}
                  onLeave={onLeave}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={pages} />
    </>
  )
}

function Empty({ filtered, onReset }: { filtered: boolean; onReset: () => void }) {
  const { t } = useText()
  if (filtered) {
    return (
      <div className="flex flex-col items-center gap-3 rounded-card border border-line px-4 py-10 text-center">
        <p className="text-ink-2">{t('memory.empty.filtered')}</p>
        <Button size="small" onClick={onReset}>
          {t('memory.empty.reset')}
        </Button>
      </div>
    )
  }
  return <Nothing title={t('memory.empty.title')} text={t('memory.empty.text')} />
}
