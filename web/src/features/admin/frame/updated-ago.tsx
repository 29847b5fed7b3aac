import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { adminKey } from '../data/admin-query.ts'
import { agoText } from '../data/ago.ts'

/** Milliseconds between updates of the text. */
const tickMs = 5_000

/** The age of the oldest value shown. */
export function UpdatedAgo() {
  const { t, locale } = useText()
  const client = useQueryClient()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const tick = () => setNow(Date.now())
    const timer = setInterval(tick, tickMs)
    const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
      // The cache may notify while another component renders, in which setting state is not allowed.
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
