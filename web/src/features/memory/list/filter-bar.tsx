import { memoryConfidences } from '@parley/contracts/memory-constants'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Select } from '../panel/select.tsx'
import type { MemoryFilter } from '../queries.ts'
import { useCategoryOptions } from '../use-category-options.ts'

/** Debounce delay of the search in milliseconds. */
const typingMs = 250
/** Maximum UTF-16 units of a search. */
const maxQuery = 200

/** Its widest option fits, unless that is wider than the whole bar. */
const asWideAsItsText = 'max-w-full min-w-36 shrink-0 grow'

interface Props {
  readonly filter: MemoryFilter
  readonly onChange: (filter: MemoryFilter) => void
}

/** A search field and three filters. */
export function FilterBar({ filter, onChange }: Props) {
  const { t } = useText()
  return (
    <>
      <SearchField query={filter.query} onChange={(query) => onChange({ ...filter, query })} />
      <Select
        label={t('memory.filter.category')}
        options={[{ name: '', text: t('memory.filter.anyCategory') }, ...useCategoryOptions()]}
        value={filter.category ?? ''}
        onChange={(category) => onChange({ ...filter, category: category === '' ? null : category })}
        className={asWideAsItsText}
      />
      <Select
        label={t('memory.filter.confidence')}
        options={[
          { name: '', text: t('memory.filter.anyConfidence') },
          ...memoryConfidences.map((name) => ({ name, text: t(`memory.confidence.${name}`) })),
        ]}
        value={filter.confidence ?? ''}
        onChange={(confidence) => onChange({ ...filter, confidence: confidence === '' ? null : confidence })}
        className={asWideAsItsText}
      />
      <Select
        label={t('memory.filter.source')}
        options={[
          { name: '', text: t('memory.filter.anySource') },
          ...(['chat', 'own'] as const).map((name) => ({ name, text: t(`memory.source.${name}`) })),
        ]}
        value={filter.source ?? ''}
        onChange={(source) => onChange({ ...filter, source: source === '' ? null : source })}
        className={asWideAsItsText}
      />
    </>
  )
}

function SearchField({ query, onChange }: { query: string; onChange: (query: string) => void }) {
  const { t } = useText()
  const [typed, setTyped] = useState(query)
  const latest = useRef(onChange)
  latest.current = onChange
  // The query may be cleared from outside.
  const [seen, setSeen] = useState(query)
  if (seen !== query) {
    setSeen(query)
    if (query !== typed.trim()) setTyped(query)
  }
  useEffect(() => {
    if (typed.trim() === query) return
    const timer = setTimeout(() => latest.current(typed.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [typed, query])
  return (
    <div className="relative w-full">
      <Search className="pointer-events-none absolute inset-y-0 start-3 my-auto size-4 text-ink-3" />
      <input
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        maxLength={maxQuery}
        dir="auto"
        aria-label={t('memory.search')}
        placeholder={t('memory.search')}
        className="h-10 w-full rounded-card border border-field-line bg-overlay ps-9 pe-3 text-base placeholder:text-ink-3 pointer-coarse:h-11 max-md:text-[1rem]"
      />
    </div>
  )
}
