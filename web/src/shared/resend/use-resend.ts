import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { endpoints, isApiError, messageOf, request } from '../api/index.ts'
import { useText } from '../i18n/index.ts'
import { notify } from '../ui/index.ts'
import { useSecondsLeft } from './use-seconds-left.ts'
import { sentAtOf } from './wait.ts'

interface Options {
  readonly username: string
  /** When the last code was mailed, in milliseconds since 1970. */
  readonly sentAt: number
  /** Called after another one was mailed, with the time. */
  readonly onSent: (sentAt: number) => void
  /** Id of the toast with the result. */
  readonly noticeId: string
}

/** The button that resends a verification code: its label and action, and the seconds `left` until a code may be requested. */
export type Resend = ReturnType<typeof useResend>

/** Requests a new code, at most once a minute, with a countdown. */
export function useResend({ username, sentAt, onSent, noticeId }: Options) {
  const { t } = useText()
  // A refusal mails nothing, but imposes the same wait.
  const [refusedAt, setRefusedAt] = useState(0)
  const left = useSecondsLeft(Math.max(sentAt, refusedAt))
  const { mutate, isPending } = useMutation({
    mutationFn: () => request(endpoints.resendVerification, { body: { username } }),
    onSuccess: () => {
      onSent(Date.now())
      notify.success((now) => now('auth.verify.resent'), { id: noticeId })
    },
    onError: (error) => {
      const wait = isApiError(error) ? error.retryAfter : null
      if (wait !== null) setRefusedAt(sentAtOf(wait, Date.now()))
      notify.error((now) => messageOf(error, now('auth.verify.resendFailed')), { id: noticeId })
    },
  })
  const label = left > 0 ? t('auth.verify.resendIn', { seconds: left }) : t('auth.verify.resend')
  return { left, busy: isPending, label, send: () => mutate() }
}
