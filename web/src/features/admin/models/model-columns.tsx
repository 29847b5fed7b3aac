import type { Model } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { formatCompact, formatMoment, formatSeconds } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { SwitchControl } from '../../../shared/ui/index.ts'
import { healthQuery } from '../data/health-query.ts'
import { BreakerTag } from '../parts/breaker-tag.tsx'
import { useReadOnly } from '../parts/read-only.tsx'
import type { Column } from '../table/admin-table.tsx'

export function useModelColumns(onToggle: (model: Model, enabled: boolean) => void): readonly Column<Model>[] {
  const { t, locale } = useText()
  const { data: health } = useQuery(healthQuery)
  const breakers = new Map(health?.breakers.map(({ model, state }) => [model, state]))
  return [
    {
      id: 'name',
      label: t('registry.column.name'),
      cell: ({ id, name }) => (
        <span className="inline-flex max-w-full flex-wrap items-center gap-2">
          <bdi className="min-w-0 truncate">{name}</bdi>
          <BreakerTag state={breakers.get(id) ?? 'closed'} />
        </span>
      ),
    },
    {
      id: 'id',
      width: '@4xl:w-[17%]',
      label: t('registry.field.id'),
      wideOnly: true,
      cell: ({ id }) => (
        <code dir="ltr" className="font-mono text-2xs text-ink-2">
          {id}
        </code>
      ),
    },
    {
      id: 'group',
      label: t('registry.field.group'),
      width: '@xl:w-[17%] @4xl:w-[10%]',
      cell: ({ group }) => group,
    },
    {
      id: 'credits',
      width: '@xl:w-[13%] @4xl:w-[8%]',
      label: t('registry.column.credits'),
      end: true,
      cell: ({ creditsPerMessage }) => creditsPerMessage,
    },
    {
      id: 'requests',
      width: '@xl:w-[15%] @4xl:w-[9%]',
      label: t('registry.column.requests'),
      end: true,
      cell: ({ usage }) => formatCompact(usage.totalRequests, locale),
    },
    {
      id: 'average',
      width: '@4xl:w-[9%]',
      label: t('registry.column.average'),
      end: true,
      wideOnly: true,
      cell: ({ usage }) =>
        usage.totalRequests > 0
          ? t('registry.seconds', { value: formatSeconds(usage.averageResponseMs, locale) })
          : '–',
    },
    {
      id: 'lastUsed',
      width: '@4xl:w-[14%]',
      label: t('registry.column.lastUsed'),
      wideOnly: true,
      cell: ({ usage }) => (
        <span className="text-ink-2">{usage.lastUsed ? formatMoment(usage.lastUsed, locale) : t('people.never')}</span>
      ),
    },
    {
      id: 'enabled',
      width: '@xl:w-[15%] @4xl:w-[9%]',
      label: t('registry.field.enabled'),
      cell: (model) => (
        <ActSwitch
          aria-label={t('registry.switch', { name: model.name })}
          checked={model.enabled}
          onChange={(enabled) => onToggle(model, enabled)}
        />
      ),
    },
  ]
}

/** A switch that acts on the values around it; disabled while they are read-only. */
const ActSwitch = (control: ComponentProps<typeof SwitchControl>) => (
  <SwitchControl {...control} small disabled={useReadOnly()} />
)
