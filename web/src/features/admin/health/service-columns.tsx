import type { ServiceHealth } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { agoText } from '../data/ago.ts'
import { Tag } from '../parts/fields.tsx'
import type { Column } from '../table/admin-table.tsx'

/** Shown if a value does not apply to a service. */
const none = '–'

export function useServiceColumns(): readonly Column<ServiceHealth>[] {
  const { t, locale } = useText()
  const number = numberFormat(locale)
  const lagOf = ({ engines = [] }: ServiceHealth) => engines.flatMap(({ lag = {} }) => Object.entries(lag))
  return [
    { id: 'name', label: t('health.column.service'), cell: ({ name }) => name },
    {
      id: 'state',
      label: t('health.column.state'),
      cell: ({ ready, failed }) =>
        ready ? (
          <Tag tone="on">{t('health.ready')}</Tag>
        ) : (
          <Tag tone="danger">{t('health.unready', { failed: failed.join(', ') })}</Tag>
        ),
    },
    {
      id: 'replicas',
      label: t('health.column.replicas'),
      cell: ({ name, replicas }) =>
        replicas.length === 0 ? (
          name === 'gateway' ? (
            t('health.thisOne')
          ) : (
            none
          )
        ) : (
          <ul>
            {replicas.map(({ id, host, version, startedAt }) => (
              <li key={id} className="whitespace-nowrap">
                {host} · {version} · {agoText(Date.parse(startedAt), Date.now(), locale)}
              </li>
            ))}
          </ul>
        ),
    },
    {
      id: 'engines',
      label: t('health.column.engines'),
      cell: ({ engines = [] }) =>
        engines.length === 0 ? (
          none
        ) : (
          <span className="inline-flex flex-wrap gap-1">
            {engines.map(({ name, ready }) => (
              <Tag key={name} tone={ready ? 'plain' : 'danger'}>
                {name}
              </Tag>
            ))}
          </span>
        ),
    },
    {
      id: 'lag',
      label: t('health.column.lag'),
      cell: (service) =>
        lagOf(service).length === 0 ? (
          none
        ) : (
          <ul>
            {lagOf(service).map(([group, events]) => (
              <li key={group} className="whitespace-nowrap tabular-nums">
                {group.slice(group.indexOf('.') + 1)} {number.format(events)}
              </li>
            ))}
          </ul>
        ),
      wideOnly: true,
    },
    {
      id: 'outbox',
      label: t('health.column.outbox'),
      cell: ({ outbox }) =>
        outbox?.oldestAt
          ? t('health.oldest', { ago: agoText(Date.parse(outbox.oldestAt), Date.now(), locale) })
          : outbox
            ? t('health.empty')
            : none,
      wideOnly: true,
    },
  ]
}
