import type { MemorySuggestion } from '@parley/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Loaded } from '../../../shared/loaded.tsx'
import { Button, useFocusAfter } from '../../../shared/ui/index.ts'
import { MoreButton } from '../panel/more-button.tsx'
import { framed, Nothing } from '../panel/nothing.tsx'
import { suggestionsQuery } from '../queries.ts'
import type { MemoryActions } from '../use-memory-actions.ts'
import { SuggestionRow } from './suggestion-row.tsx'

interface Props {
  readonly actions: MemoryActions
  readonly chatPath: (chatId: string) => string
  readonly onLeave: () => void
}

/** Suggestions found in chats; none is used before it is approved. */
export function SuggestionList({ actions, chatPath, onLeave }: Props) {
  const { t } = useText()
  const list = useRef<HTMLUListElement>(null)
  const pages = useInfiniteQuery(suggestionsQuery)
  const suggestions: readonly MemorySuggestion[] = pages.data?.pages.flatMap(({ items }) => items) ?? []
  const focusAfter = useFocusAfter(list, suggestions.length)
  return (
    <Loaded
      query={pages}
      failed={t('memory.suggestions.failed')}
      shape={['80%', '45%', '30%', '75%', '45%', '30%']}
      className={framed}
    >
      {() =>
        suggestions.length === 0 ? (
          <Nothing title={t('memory.suggestions.none')} text={t('memory.suggestions.noneText')} />
        ) : (
          <>
            <AllBar actions={actions} isOne={suggestions.length === 1} />
            <ul
              ref={list}
              aria-label={t('memory.tab.suggestions')}
              className="divide-y divide-line rounded-card border border-line"
            >
              {suggestions.map((suggestion, place) => (
                <SuggestionRow
                  key={suggestion.id}
                  suggestion={suggestion}
                  actions={actions}
                  chatPath={chatPath}
                  onDecide={() => focusAfter(place)}
                  onLeave={onLeave}
                />
              ))}
            </ul>
            <MoreButton query={pages} />
          </>
        )
      }
    </Loaded>
  )
}

/** Decides on all of them at once, if there are several. */
function AllBar({ actions, isOne }: { actions: MemoryActions; isOne: boolean }) {
  const { t } = useText()
  const [busy, setBusy] = useState<'approve' | 'dismiss' | null>(null)
  const decide = async (what: 'approve' | 'dismiss') => {
    setBusy(what)
    await (what === 'approve' ? actions.approveAll() : actions.dismissAll())
    setBusy(null)
  }
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <p className="min-w-60 flex-1 text-sm text-ink-2">{t('memory.suggestions.lead')}</p>
      {!isOne && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" busy={busy === 'dismiss'} onClick={() => void decide('dismiss')}>
            {t('memory.dismissAll')}
          </Button>
          <Button size="small" look="primary" busy={busy === 'approve'} onClick={() => void decide('approve')}>
            {t('memory.approveAll')}
          </Button>
        </div>
      )}
    </div>
  )
}
