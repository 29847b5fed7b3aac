import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { adminKey } from '../data/admin-query.ts'
import { agoText } from '../data/ago.ts'

/** Milliseconds between two looks at the clock. */
const tickMs = 5_000

/** How old the oldest of the values shown is. */
export function UpdatedAgo() {
  const { t, locale } = useText()
  const client = useQueryClient()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, tickMs)
    const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
      // Told while another component renders, so that this one waits for its turn.
      if (type === 'updated' && query.queryKey[0] === adminKey[0]) queueMicrotask(tick)
    })
    return () => {
      clearInterval(timer)
      unsubscribe()
    }
  }, [client])
  const times = client
    .getQueryCache()
    .findAll({ queryKey: adminKey, type: 'active' })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0)
  if (times.length === 0) return null
  return (
    <span className="hidden text-sm text-ink-3 sm:inline">
      {t('admin.updated', { ago: agoText(Math.min(...times), now, locale) })}
    </span>
  )
}
