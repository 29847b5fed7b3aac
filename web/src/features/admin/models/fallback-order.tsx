import type { Model } from '@parley/contracts'
import { ChevronDown, ChevronUp, GripVertical, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useText } from '../../../shared/i18n/index.ts'
import { classNames, IconButton, SelectField } from '../../../shared/ui/index.ts'
import { moved } from './model-values.ts'

const mostFallbacks = 5

interface Props {
  /** Ids in the order in which they are tried. */
  readonly ids: readonly string[]
  /** Models that can be added. */
  readonly models: readonly Model[]
  readonly onChange: (ids: readonly string[]) => void
}

/** The fallback models, ordered by dragging, by buttons, or by Alt and an arrow key. */
export function FallbackOrder({ ids, models, onChange }: Props) {
  const { t } = useText()
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [said, say] = useState('')
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id
  const move = (at: number, by: number) => {
    const to = Math.min(Math.max(at + by, 0), ids.length - 1)
    if (to === at) return
    // Moves the focus with the row.
    flushSync(() => onChange(moved(ids, at, by)))
    list.current?.querySelectorAll<HTMLElement>('[data-entry]')[to]?.focus()
    say(t('registry.fallback.moved', { name: nameOf(ids[at] ?? ''), place: to + 1, count: ids.length }))
  }
  const rest = models.filter(({ id }) => !ids.includes(id))
  return (
    <div className="rounded-card border border-line p-4 md:p-5">
      {ids.length === 0 && <p className="mb-3 text-sm text-ink-2">{t('registry.fallback.none')}</p>}
      <ol ref={list} className="mb-3 flex flex-col gap-1.5">
        {ids.map((id, index) => (
          <li
            key={id}
            draggable
            onDragStart={() => setDragged(index)}
            onDragOver={(event) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
            onDrop={() => dragged !== null && move(dragged, index - dragged)}
            className={classNames(
              'flex cursor-grab items-center gap-1 rounded-row border border-line bg-raised py-1 ps-1 pe-1.5',
              dragged === index && 'opacity-50',
            )}
          >
            {/* Outside of the button: Firefox drags nothing by a button. */}
            <GripVertical className="size-4 shrink-0 text-ink-3" />
            <button
              type="button"
              data-entry
              title={t('registry.fallback.keys')}
              onKeyDown={(event) => {
                if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
                event.preventDefault()
                move(index, event.key === 'ArrowUp' ? -1 : 1)
              }}
              className="target flex min-w-0 flex-1 items-center gap-2 rounded-sm px-1 py-1 text-start"
            >
              <span className="text-ink-3 tabular-nums">{index + 1}</span>
              <span className="truncate">{nameOf(id)}</span>
            </button>
            <IconButton
              size="small"
              label={t('registry.fallback.up', { name: nameOf(id) })}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <ChevronUp className="size-4" />
            </IconButton>
            <IconButton
              size="small"
              label={t('registry.fallback.down', { name: nameOf(id) })}
              disabled={index === ids.length - 1}
              onClick={() => move(index, 1)}
            >
              <ChevronDown className="size-4" />
            </IconButton>
            <IconButton
              size="small"
              label={t('registry.fallback.remove', { name: nameOf(id) })}
              onClick={() => onChange(ids.filter((one) => one !== id))}
            >
              <X className="size-4" />
            </IconButton>
          </li>
        ))}
      </ol>
      {ids.length < mostFallbacks && rest.length > 0 && (
        <SelectField
          label={t('registry.fallback.add')}
          value=""
          onChange={(id) => id !== '' && onChange([...ids, id])}
          options={[
            { name: '', text: t('registry.fallback.choose') },
            ...rest.map(({ id, name }) => ({ name: id, text: name })),
          ]}
        />
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  )
}
