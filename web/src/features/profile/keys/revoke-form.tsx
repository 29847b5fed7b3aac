import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, TextField } from '../../../shared/ui/index.ts'

interface Props {
  readonly label: string
  readonly busy: boolean
  readonly onRevoke: () => void
  readonly onCancel: () => void
}

/** Revokes a key after its label was typed. */
export function RevokeForm({ label, busy, onRevoke, onCancel }: Props) {
  const { t } = useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState(false)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (typed.trim() === label) onRevoke()
    else {
      setRefused(true)
      document.getElementById(id)?.querySelector('input')?.focus()
    }
  }
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      <p className="mb-4 text-ink-2">{t('keys.revoke.text')}</p>
      <TextField
        label={t('keys.revoke.confirm', { label })}
        error={refused && typed.trim() !== label ? t('keys.revoke.mismatch') : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button type="submit" look="danger" busy={busy}>
          {t('keys.revoke.submit')}
        </Button>
      </div>
    </form>
  )
}
