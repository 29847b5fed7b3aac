import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { endpoints, isApiError, messageOf, request } from '../../shared/api/index.ts'
import { T, useText, type Wording } from '../../shared/i18n/index.ts'
import { signIn } from '../../shared/session/index.ts'
import { Button, notify } from '../../shared/ui/index.ts'
import { AuthCard, LinkButton } from './auth-card.tsx'
import { ChangeEmail } from './change-email.tsx'
import { codeLength, isOfCode } from './code.ts'
import { CodeBoxes } from './code-boxes.tsx'
import { MailState } from './mail-state.tsx'
import { type Pending, setPending } from './pending.ts'
import { Resend } from './resend.tsx'

/** The step after registration, and after signing in unverified: the mailed code, a new one, or another address. */
export function VerifyStep({ pending }: { pending: Pending }) {
  const { t } = useText()
  const [changing, setChanging] = useState(false)
  if (changing) return <ChangeEmail pending={pending} onDone={() => setChanging(false)} />
  return (
    <AuthCard
      title={t('auth.verify.title')}
      lead={
        pending.email === null ? (
          t('auth.verify.leadPlain')
        ) : (
          <T
            id="auth.verify.lead"
            values={{ email: pending.email }}
            components={{ b: <b className="font-medium wrap-anywhere text-ink" /> }}
          />
        )
      }
      foot={
        <>
          <Resend pending={pending} />
          <LinkButton onClick={() => setChanging(true)}>{t('auth.verify.change')}</LinkButton>
          <LinkButton onClick={() => setPending(null)}>{t('auth.verify.back')}</LinkButton>
        </>
      }
    >
      <MailState pending={pending} />
      <CodeForm username={pending.username} />
    </AuthCard>
  )
}

const noDigits = Array.from({ length: codeLength }, () => '')

interface Problem {
  readonly words: Wording
  /** The code itself is wrong; otherwise it remains valid. */
  readonly ofCode: boolean
}

function useVerification(username: string) {
  const [boxes, setBoxes] = useState(noDigits)
  const [problem, setProblem] = useState<Problem>()
  const [focusKey, setFocusKey] = useState(0)
  const refocus = () => setFocusKey((key) => key + 1)
  const verify = useMutation({
    mutationFn: (code: string) => request(endpoints.verifyEmail, { body: { username, code } }),
    onMutate: () => notify.dismiss('form'),
    onSuccess: ({ token, user }) => {
      setPending(null)
      signIn(token, user)
    },
    onError: (error) => {
      const ofCode = isApiError(error) && isOfCode(error.status)
      const words: Wording = (now) => messageOf(error, now(ofCode ? 'auth.verify.failed' : 'shared.unreachable'))
      notify.error(words, { id: 'form' })
      setProblem({ words, ofCode })
      if (!ofCode) return
      setBoxes(noDigits)
      refocus()
    },
  })
  const submit = (digits: readonly string[]) => {
    const code = digits.join('')
    if (code.length === codeLength) return verify.mutate(code)
    setProblem({ words: (now) => now('auth.verify.incomplete'), ofCode: true })
    refocus()
  }
  const change = (digits: string[]) => {
    const complete = digits.every((digit) => digit !== '')
    setBoxes(digits)
    setProblem(undefined)
    if (complete && !verify.isPending) submit(digits)
  }
  return { boxes, problem, focusKey, busy: verify.isPending, submit, change }
}

function CodeForm({ username }: { username: string }) {
  const { t } = useText()
  const noteId = useId()
  const { boxes, problem, focusKey, busy, submit, change } = useVerification(username)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) submit(boxes)
      }}
    >
      <CodeBoxes
        boxes={boxes}
        onChange={change}
        invalid={problem?.ofCode === true}
        describedBy={noteId}
        focusKey={focusKey}
      />
      <p id={noteId} role="alert" className="mb-4 min-h-5 text-sm text-danger">
        {problem?.words(t)}
      </p>
      <Button type="submit" look="primary" size="large" busy={busy}>
        {t('auth.verify.submit')}
      </Button>
    </form>
  )
}
