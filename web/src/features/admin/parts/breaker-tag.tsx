import type { BreakerState } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { Tag } from './fields.tsx'

/** How a model is kept from calls; nothing for one that is not. */
export function BreakerTag({ state }: { state: BreakerState }) {
  const { t } = useText()
  if (state === 'closed') return null
  return (
    <Tag tone={state === 'open' ? 'danger' : 'warn'}>
      {t(state === 'open' ? 'health.breakers.open' : 'health.breakers.halfOpen')}
    </Tag>
  )
}
