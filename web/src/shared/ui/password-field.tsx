import { useState } from 'react'
import { useText } from '../i18n/index.ts'
import { type FieldProps, TextField } from './text-field.tsx'

/** A password input whose text can be revealed. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'end'>) {
  const { t } = useText()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      // As a string: Preact would remove the attribute for a boolean.
      spellCheck="false"
      autoCapitalize="none"
      end={
        <button
          type="button"
          aria-pressed={shown}
          aria-label={t('shared.password.showLabel')}
          onClick={() => setShown(!shown)}
          className="target mx-1 rounded-row px-2 py-1 text-sm text-ink-2 hover:text-ink"
        >
          {t(shown ? 'shared.password.hide' : 'shared.password.show')}
        </button>
      }
    />
  )
}
