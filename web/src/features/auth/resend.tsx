import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpoints, isApiError, messageOf, request } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { notify } from '../../shared/ui/index.ts'
import { LinkButton } from './auth-card.tsx'
import { secondsUntilResend } from './code.ts'
import { type Pending, setPending } from './pending.ts'

function useSecondsLeft(sentAt: number): number {
  const [now, setNow] = useState(() => Date.now())
  const left = secondsUntilResend(sentAt, now)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new code starts the count anew at once
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [sentAt])
  return left
}

/** Asks for a new code, at most once a minute; the wait is counted down. */
export function Resend({ pending }: { pending: Pending }) {
  const { t } = useText()
  const left = useSecondsLeft(pending.sentAt)
  const resend = useMutation({
    mutationFn: () => request(endpoints.resendVerification, { body: { username: pending.username } }),
    onSuccess: () => {
      setPending({ ...pending, sentAt: Date.now() })
      notify.success(t('auth.verify.resent'), { id: 'auth' })
    },
    onError: (error) => {
      const wait = isApiError(error) ? error.retryAfter : null
      if (wait !== null) setPending({ ...pending, sentAt: Date.now() - 60_000 + wait * 1000 })
      notify.error(messageOf(error, t('auth.verify.resendFailed')), { id: 'auth' })
    },
  })
  return (
    <LinkButton disabled={left > 0 || resend.isPending} onClick={() => resend.mutate()}>
      {left > 0 ? t('auth.verify.resendIn', { seconds: left }) : t('auth.verify.resend')}
    </LinkButton>
  )
}
