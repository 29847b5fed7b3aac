import type { AdminApiKey } from '@parley/contracts'
import { useState } from 'react'
import { request } from '../../../shared/api/index.ts'
import { type MessageId, useText, type Wording } from '../../../shared/i18n/index.ts'
import { Button, PasswordField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { Form } from '../parts/form.tsx'

/** The text of a verification's result, and the key that was found. */
interface Outcome {
  readonly words: Wording
  readonly key: AdminApiKey | null
}

/** What is said of a secret, in the words of the server. */
const outcomeText = (result: 'malformed' | 'no_record' | 'found', valid: boolean): MessageId => {
  if (result === 'malformed') return 'tiers.verify.failed'
  if (result === 'no_record') return 'tiers.verify.noRecord'
  return valid ? 'tiers.verify.valid' : 'tiers.verify.invalid'
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
      const { result, valid, key } = await request(calls.verifyKey, { body: { key: secret.trim() } })
      setOutcome({ words: (now) => now(outcomeText(result, valid)), key })
      setSecret('')
    } catch (error) {
      setOutcome({ words: (now) => failureText(error, now('tiers.verify.failed'), now), key: null })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form
      className="rounded-card border border-line p-4"
      onSubmit={() => {
        if (secret.trim() !== '') void verify()
      }}
    >
      <PasswordField
        label={t('tiers.verify.secret')}
        hint={t('tiers.verify.hint')}
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
        autoComplete="off"
      />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit" busy={busy}>
          {t('tiers.verify.submit')}
        </Button>
        <p role="status" className="min-w-0 flex-1 text-sm">
          {outcome?.words(t)}{' '}
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
    </Form>
  )
}
