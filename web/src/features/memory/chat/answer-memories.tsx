import type { UsedMemory } from '@parley/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookmarkCheck, Brain, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/index.ts'
import { tracesQuery } from '../queries.ts'
import { forget } from './commands.ts'

/** An answer's relation to memory. */
export interface AnswerMemoriesInput {
  readonly used: readonly UsedMemory[]
  /** The answer was made without memory, which did not respond in time. */
  readonly unavailable: boolean
  /** Id of the question; null while unknown. */
  readonly questionId: string | null
}

interface Props extends AnswerMemoriesInput {
  /** Opens the panel with the new memories or suggestions. */
  readonly onOpen: (view: 'memories' | 'suggestions') => void
}

const look =
  'target ms-1 inline-flex h-7 items-center gap-1.5 rounded-full border border-line px-2.5 text-2xs text-ink-2 hover:bg-hover hover:text-ink'
const icon = 'size-3.5'

/** In an answer's row of buttons: the memories it used, each of which can be forgotten, and whether the question led to new ones. */
export function AnswerMemories({ used, unavailable, questionId, onOpen }: Props) {
  const { t } = useText()
  const id = useId()
  const [open, setOpen] = useState(false)
  const { data: traces } = useQuery(tracesQuery)
  const suggested = questionId === null ? 0 : (traces?.suggested[questionId] ?? 0)
  const stored = questionId === null ? 0 : (traces?.stored[questionId] ?? 0)
  return (
    <>
      {used.length > 0 && (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className={look}
        >
          <Brain className={icon} />
          {t('memory.used', { count: used.length })}
        </button>
      )}
      {unavailable && <span className="px-1.5 text-2xs text-ink-3">{t('memory.unavailable')}</span>}
      {suggested + stored > 0 && (
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => onOpen(suggested > 0 ? 'suggestions' : 'memories')}
          className={look}
        >
          <BookmarkCheck className={icon} />
          {t('memory.updated')}
          {suggested > 0 && (
            <span className="text-brand tabular-nums">
              {suggested}
              <span className="sr-only">{t('memory.updated.waiting', { count: suggested })}</span>
            </span>
          )}
        </button>
      )}
      {open && (
        <ul
          id={id}
          aria-label={t('memory.used', { count: used.length })}
          className="order-last ms-2 my-1 basis-full rounded-card border border-line divide-y divide-line"
        >
          {used.map((memory) => (
            <UsedRow key={memory.id} memory={memory} />
          ))}
        </ul>
      )}
    </>
  )
}

function UsedRow({ memory }: { memory: UsedMemory }) {
  const { t } = useText()
  const client = useQueryClient()
  const [state, setState] = useState<'there' | 'leaving' | 'gone'>('there')
  const onForget = async () => {
    setState('leaving')
    setState((await forget(client, memory)) ? 'gone' : 'there')
  }
  return (
    <li className="flex items-start gap-2 py-1.5 ps-3 pe-1.5 text-sm text-ink">
      <span
        dir="auto"
        className={
          state === 'gone' ? 'min-w-0 flex-1 pt-0.5 text-ink-3 line-through' : 'min-w-0 flex-1 pt-0.5 wrap-anywhere'
        }
      >
        {memory.text}
      </span>
      {state === 'gone' ? (
        <span className="pt-0.5 pe-1.5 text-ink-3">{t('memory.gone')}</span>
      ) : (
        <IconButton
          label={t('memory.forget', { text: memory.text.slice(0, 60) })}
          size="small"
          aria-disabled={state === 'leaving' || undefined}
          onClick={() => state === 'there' && void onForget()}
        >
          <Trash2 className={icon} />
        </IconButton>
      )}
    </li>
  )
}
