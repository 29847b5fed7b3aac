import { useEffect, useState } from 'react'
import { endpoints, messageOf, request } from '../../../shared/api/index.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { returnPath } from '../../../shared/session/index.ts'
import { Button, notify } from '../../../shared/ui/index.ts'

/** Redirects to the single sign-on provider; `alert` says why that failed. */
export function useSignOn() {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  useEffect(() => {
    // Going back may restore this page from the back/forward cache.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setBusy(false)
    }
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [])
  const start = async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const { url } = await request(endpoints.startOAuth, { query: { returnTo: returnPath() } })
      window.location.assign(url)
    } catch (error) {
      notify.error((now) => textOf(error, now), { id: 'form' })
      setFailure({ error })
      setBusy(false)
    }
  }
  return { start, busy, alert: failure && textOf(failure.error, t) }
}

const textOf = (error: unknown, t: Translate): string => messageOf(error, t('auth.signOn.failed'))

/** The single sign-on button; `label` is set by the operator. */
export function SignOn({ label }: { label: string }) {
  const { t } = useText()
  const { start, busy, alert } = useSignOn()
  return (
    <>
      <p aria-hidden="true" className="my-4.5 flex items-center gap-3 text-sm text-ink-3">
        <span className="flex-1 border-t border-line" />
        {t('auth.login.or')}
        <span className="flex-1 border-t border-line" />
      </p>
      <FormAlert message={alert} />
      <Button size="large" busy={busy} onClick={() => void start()}>
        {label}
      </Button>
    </>
  )
}
