import type { Model } from '@parley/contracts'
import { type ReactNode, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Dialog, TextField } from '../../../shared/ui/index.ts'
import { DialogForm } from '../parts/form.tsx'

interface Props {
  readonly model: Model | null
  /** Why deleting failed. */
  readonly alert: ReactNode
  readonly busy: boolean
  readonly onClose: () => void
  readonly onDelete: (model: Model) => void
}

/** Deletes a model permanently after its id was typed. */
export function DeleteModelDialog({ model, alert, busy, onClose, onDelete }: Props) {
  const { t } = useText()
  return (
    <Dialog open={model !== null} onClose={onClose} title={t('registry.remove.title', { name: model?.name ?? '' })}>
      {alert}
      {model && <DeleteForm key={model.id} model={model} busy={busy} onDelete={onDelete} />}
    </Dialog>
  )
}

function DeleteForm({ model, busy, onDelete }: { model: Model; busy: boolean; onDelete: (model: Model) => void }) {
  const { t } = useText()
  const [typed, setTyped] = useState('')
  const [isRefused, setRefused] = useState(false)
  const submit = () => {
    if (typed.trim() === model.id) onDelete(model)
    else setRefused(true)
  }
  return (
    <DialogForm submit={t('registry.delete')} look="danger" busy={busy} onSubmit={submit}>
      <p className="mb-4 text-ink-2">{t('registry.remove.text')}</p>
      <TextField
        label={t('registry.remove.confirm', { id: model.id })}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        error={isRefused ? t('registry.remove.mismatch') : undefined}
        autoComplete="off"
        spellCheck={false}
        autoFocus
      />
    </DialogForm>
  )
}
