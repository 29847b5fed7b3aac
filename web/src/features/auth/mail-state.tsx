import { useQuery } from '@tanstack/react-query'
import { MailWarning } from 'lucide-react'
import { endpoints, isApiError, request } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import type { Pending } from './pending.ts'

/** Milliseconds between checks while the mail is in transit: frequent at first, then as often as mail servers retry. */
const pauseMs = (sentAt: number, now: number): number => (now - sentAt < 60_000 ? 3_000 : 20_000)

/** Reports a code that could not be delivered; polls only while the mail is in transit. */
export function MailState({ pending }: { pending: Pending }) {
  const { t } = useText()
  const { data } = useQuery({
    queryKey: ['verification-mail', pending.username, pending.sentAt],
    queryFn: ({ signal }) => request(endpoints.verificationMail, { signal }),
    // Without the registration's cookie there is no state to report.
    retry: (_, error) => !(isApiError(error) && error.status === 404),
    retryDelay: 5_000,
    refetchInterval: ({ state }) => (state.data?.outcome === 'waiting' ? pauseMs(pending.sentAt, Date.now()) : false),
  })
  return (
    <div role="alert">
      {data?.outcome === 'failed' && (
        <p className="mb-4 flex gap-2 rounded-card bg-warn-weak px-3 py-2.5 text-sm">
          <MailWarning className="mt-0.5 size-4 shrink-0 text-warn" />
          {t('auth.verify.undelivered')}
        </p>
      )}
    </div>
  )
}
