import { useResend } from '../../shared/resend/index.ts'
import { LinkButton } from './auth-card.tsx'
import { type Pending, setPending } from './pending.ts'

/** Requests a new code, at most once a minute, with a countdown. */
export function Resend({ pending }: { pending: Pending }) {
  const { left, busy, label, send } = useResend({
    username: pending.username,
    sentAt: pending.sentAt,
    onSent: (sentAt) => setPending({ ...pending, sentAt }),
    noticeId: 'form',
  })
  return (
    <LinkButton disabled={left > 0 || busy} onClick={send}>
      {label}
    </LinkButton>
  )
}
