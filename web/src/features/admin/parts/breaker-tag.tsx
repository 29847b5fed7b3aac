import type { BreakerState } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { Tag } from './fields.tsx'

/** The state of a model's circuit breaker; nothing if it is closed. */
export function BreakerTag({ state }: { state: BreakerState }) {
  const { t } = useText()
  if (state === 'closed') return null
  return (
    <Tag tone={state === 'open' ? 'danger' : 'warn'}>
      {t(state === 'open' ? 'health.breakers.open' : 'health.breakers.halfOpen')}
    </Tag>
  )
}
