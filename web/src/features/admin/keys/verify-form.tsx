import type { AdminApiKey } from '@parley/contracts'
import { useState } from 'react'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, PasswordField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'

/** The text of a verification's result, and the key that was found. */
interface Outcome {
  readonly text: string
  readonly key: AdminApiKey | null
}

/** Says whether a secret belongs to a key. The secret is sent once and not stored. */
export function VerifyForm({ onFound }: { onFound: (key: AdminApiKey) => void }) {
  const { t } = useText()
  const [secret, setSecret] = useState('')
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const verify = async () => {
    setBusy(true)
    try {
      const { message, key } = await request(calls.verifyKey, { body: { key: secret.trim() } })
      setOutcome({ text: message, key })
      setSecret('')
    } catch (error) {
      setOutcome({ text: failureText(error, t('tiers.verify.failed'), t), key: null })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (secret.trim() !== '') void verify()
      }}
    >
      <PasswordField
        label={t('tiers.verify.secret')}
        hint={t('tiers.verify.hint')}
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit" busy={busy}>
          {t('tiers.verify.submit')}
        </Button>
        <p role="status" className="min-w-0 flex-1 text-sm">
          {outcome?.text}{' '}
          {outcome?.key && (
            <button
              type="button"
              className="rounded-sm text-brand underline underline-offset-2"
              onClick={() => outcome.key && onFound(outcome.key)}
            >
              <bdi>{outcome.key.label}</bdi>
            </button>
          )}
        </p>
      </div>
    </form>
  )
}
