import type { User } from '@parley/contracts'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { useResend } from '../../../shared/resend/index.ts'
import { Box, Button, Chip } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'
import { ChangeEmail } from './change-email.tsx'
import { ConfirmCode } from './confirm-code.tsx'

type Step = 'shown' | 'changing' | 'code'

/** The e-mail address, whether it is confirmed and deliverable, and a form to change it. */
export function EmailSection({ user }: { user: User }) {
  const { t } = useText()
  const [step, setStep] = useState<Step>('shown')
  const [sentAt, setSentAt] = useState(0)
  const root = useRef<HTMLDivElement>(null)
  const goTo = (next: Step) => {
    setStep(next)
    // The focused element was removed with its step.
    if (next === 'shown') requestAnimationFrame(() => root.current?.querySelector('button')?.focus())
  }
  const toCode = (at: number) => {
    setSentAt(at)
    goTo('code')
  }
  const mail = useResend({ username: user.username, sentAt, onSent: toCode, noticeId: 'profile' })
  return (
    <Section title={t('profile.email.title')} lead={t('profile.email.lead')}>
      <div ref={root}>
        <Box>
          {step === 'changing' && (
            <ChangeEmail user={user} onDone={() => toCode(Date.now())} onCancel={() => goTo('shown')} />
          )}
          {step === 'code' && <ConfirmCode user={user} mail={mail} onDone={() => goTo('shown')} />}
          {step === 'shown' && (
            <Address
              user={user}
              busy={mail.busy}
              onChange={() => goTo('changing')}
              // A recently mailed code is still valid.
              onConfirm={sentAt > 0 && mail.left > 0 ? () => goTo('code') : mail.send}
            />
          )}
        </Box>
      </div>
    </Section>
  )
}

interface AddressProps {
  readonly user: User
  readonly busy: boolean
  readonly onChange: () => void
  readonly onConfirm: () => void
}

function Address({ user, busy, onChange, onConfirm }: AddressProps) {
  const { t } = useText()
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <bdi className="min-w-0 font-medium wrap-anywhere">{user.email}</bdi>
        {user.emailVerified ? (
          <Chip>
            <CircleCheck className="size-3.75 text-ok" />
            {t('profile.email.verified')}
          </Chip>
        ) : (
          <Chip tone="warn">{t('profile.email.unverified')}</Chip>
        )}
        <span className="ms-auto flex gap-2">
          {!user.emailVerified && (
            <Button size="small" busy={busy} onClick={onConfirm}>
              {t('profile.email.confirm')}
            </Button>
          )}
          {user.hasPassword && (
            <Button size="small" onClick={onChange}>
              {t('profile.email.change')}
            </Button>
          )}
        </span>
      </div>
      {!user.hasPassword && <p className="mt-2 text-sm text-ink-2">{t('profile.email.outside')}</p>}
      {user.emailProblem !== null && (
        <p className="mt-3 flex gap-2 rounded-card bg-danger-weak px-3 py-2.5 text-sm text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" />
          {t(user.hasPassword ? 'profile.email.problem' : 'profile.email.problemOutside')}
        </p>
      )}
    </>
  )
}
