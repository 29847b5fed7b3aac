import { type FormEvent, useId, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { Button } from './button.tsx'
import { TextField } from './text-field.tsx'

interface Props {
  /** What has to be typed. */
  readonly expected: string
  readonly text: string
  readonly label: string
  /** The error if something else was typed. */
  readonly mismatch: string
  readonly confirmLabel: string
  readonly busy: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** The content of a dialog that removes something for good after its name was typed. */
export function TypedConfirm({ expected, text, label, mismatch, confirmLabel, busy, onConfirm, onCancel }: Props) {
  const { t } = useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState(false)
  const isExpected = typed.trim() === expected
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (isExpected) return onConfirm()
    setRefused(true)
    document.getElementById(id)?.querySelector('input')?.focus()
  }
  return (
    <form id={id} noValidate onSubmit={onSubmit}>
      <p className="mb-4 text-ink-2">{text}</p>
      <TextField
        label={label}
        error={refused && !isExpected ? mismatch : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button type="submit" look="danger" busy={busy}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}
