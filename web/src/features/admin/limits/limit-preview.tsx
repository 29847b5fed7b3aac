import type { LimitArea } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { request } from '../../../shared/api/index.ts'
import { useRested } from '../../../shared/chats/use-rested.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import type { Limit } from './limit-values.ts'

const previewQuery = (area: LimitArea, { windowMinutes, maxRequests }: Limit) =>
  adminQuery(['limits', area, windowMinutes, maxRequests], (signal) =>
    request(calls.limitsPreview, { query: { area, windowMinutes, maxRequests }, signal }),
  )

/** Says whom a limit would have limited in the last seven days. */
export function LimitPreview({ area, limit }: { area: LimitArea; limit: Limit }) {
  const { t } = useText()
  const windowMinutes = useRested(limit.windowMinutes)
  const maxRequests = useRested(limit.maxRequests)
  const preview = useQuery(previewQuery(area, { windowMinutes, maxRequests }))
  const { data, error } = preview
  const words = data
    ? t(area === 'web' ? 'limits.preview.web' : 'limits.preview.apiV1', {
        limited: data.limited,
        refused: data.refused,
        subjects: data.subjects,
      })
    : t('limits.preview.loading')
  return (
    <p role="status" aria-busy={preview.isPlaceholderData} className={error ? 'text-danger' : 'text-ink-2'}>
      {error ? failureText(error, t('limits.preview.failed'), t) : words}
    </p>
  )
}
