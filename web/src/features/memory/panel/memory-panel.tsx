import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { LearningView } from '../learning/learning-view.tsx'
import { MemoryList } from '../list/memory-list.tsx'
import { suggestionsQuery } from '../queries.ts'
import { SettingsView } from '../settings/settings-view.tsx'
import { SuggestionList } from '../suggestions/suggestion-list.tsx'
import { useMemoryActions } from '../use-memory-actions.ts'
import { type Notice, NoticeLine } from './notice.tsx'
import { Tabs } from './tabs.tsx'

export type MemoryView = 'memories' | 'suggestions' | 'settings' | 'learning'

const views = ['memories', 'suggestions', 'settings', 'learning'] as const satisfies readonly MemoryView[]

export interface MemoryPanelProps {
  /** The initial view; the memories by default. */
  readonly view?: MemoryView
  /** The initial search of memories. */
  readonly query?: string
  readonly chatPath: (chatId: string) => string
  /** A link of the panel was followed. */
  readonly onLeave?: () => void
}

/** The user's memory: stored memories, pending suggestions, settings, and what it has learned. */
export function MemoryPanel({
  view: first = 'memories',
  query = '',
  chatPath,
  onLeave = () => undefined,
}: MemoryPanelProps) {
  const { t } = useText()
  const [view, setView] = useState<MemoryView>(first)
  const [notice, announce] = useState<Notice | null>(null)
  const actions = useMemoryActions(announce)
  const { data } = useInfiniteQuery(suggestionsQuery)
  const waiting = data?.pages.flatMap(({ items }) => items).length ?? 0
  return (
    <div>
      <Tabs
        label={t('memory.title')}
        active={view}
        onChange={(name) => {
          announce(null)
          setView(name)
        }}
        tabs={views.map((name) => ({
          name,
          text: t(`memory.tab.${name}`),
          ...(name === 'suggestions' && { count: waiting }),
        }))}
      >
        {view === 'memories' && <MemoryList actions={actions} chatPath={chatPath} query={query} onLeave={onLeave} />}
        {view === 'suggestions' && <SuggestionList actions={actions} chatPath={chatPath} onLeave={onLeave} />}
        {view === 'settings' && <SettingsView actions={actions} />}
        {view === 'learning' && <LearningView />}
      </Tabs>
      <NoticeLine notice={notice} announce={announce} />
    </div>
  )
}
