import { memoryConfidences } from '@parley/contracts/memory-constants'
import type { ComponentProps } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { SearchField, SelectField } from '../../../shared/ui/index.ts'
import type { MemoryFilter } from '../queries.ts'
import { useCategoryOptions } from '../use-category-options.ts'

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
  const choice = (
    name: 'category' | 'confidence' | 'source',
    any: string,
    options: ComponentProps<typeof SelectField>['options'],
  ) => (
    <SelectField
      isFilter
      label={t(`memory.filter.${name}`)}
      options={[{ name: '', text: any }, ...options]}
      value={filter[name] ?? ''}
      onChange={(chosen) => onChange({ ...filter, [name]: chosen === '' ? null : chosen })}
      className={asWideAsItsText}
    />
  )
  return (
    <>
      <SearchField
        label={t('memory.search')}
        value={filter.query}
        onSearch={(query) => onChange({ ...filter, query })}
        maxLength={maxQuery}
        className="w-full"
      />
      {choice('category', t('memory.filter.anyCategory'), useCategoryOptions())}
      {choice(
        'confidence',
        t('memory.filter.anyConfidence'),
        memoryConfidences.map((name) => ({ name, text: t(`memory.confidence.${name}`) })),
      )}
      {choice(
        'source',
        t('memory.filter.anySource'),
        (['chat', 'own'] as const).map((name) => ({ name, text: t(`memory.source.${name}`) })),
      )}
    </>
  )
}
