import { useQuery } from '@tanstack/react-query'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { healthQuery } from '../data/health-query.ts'

/** Shows the state of a model's circuit breaker; nothing while it is unknown. */
export function BreakerLine({ id }: { id: string }) {
  const { t, locale } = useText()
  const { data } = useQuery(healthQuery)
  if (!data) return null
  const breaker = data.breakers.find(({ model }) => model === id)
  const since = breaker ? formatMoment(breaker.since, locale) : ''
  if (breaker?.state === 'open')
    return <p className="mb-4 text-sm text-danger">{t('registry.breaker.open', { since })}</p>
  if (breaker?.state === 'half-open') return <p className="mb-4 text-sm text-warn">{t('registry.breaker.halfOpen')}</p>
  return <p className="mb-4 text-sm text-ink-2">{t('registry.breaker.closed')}</p>
}
