import type { Model } from '@parley/contracts'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { request } from '../../../shared/api/index.ts'
import { FormAlert, placeErrors } from '../../../shared/forms/index.ts'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { ownError } from '../data/field-error.ts'
import { useAct } from '../data/use-act.ts'
import { useFormEdit } from '../data/use-form-edit.ts'
import { adminPath } from '../frame/admin-path.ts'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { RestoredNotice } from '../parts/restored-notice.tsx'
import { ModelFields } from './model-fields.tsx'
import { faultsOf, type ModelValues, modelOf, newModelValues, valuesOf } from './model-values.ts'
import { TestConnection } from './test-connection.tsx'
import { modelFailure } from './use-model-acts.ts'

const fields = Object.keys(newModelValues) as (keyof ModelValues)[]

interface Props {
  readonly initial: ModelValues
  /** The present model in the registry; null for a new one. */
  readonly saved: Model | null
  readonly models: readonly Model[]
}

/** All settings of one model. Other admins' changes are shown before they are overwritten. */
export function ModelForm({ initial, saved, models }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const form = useForm<ModelValues>({ defaultValues: initial })
  const edit = useFormEdit(form, saved ? `model:${saved.id}` : 'model', saved)
  const { current } = edit
  const { act, busy } = useAct()
  const [alert, setAlert] = useState<{ readonly words: Wording }>()
  if (current && !form.formState.isDirty && current === saved) {
    edit.rebase(current)
    form.reset(valuesOf(current))
  }
  const leave = () => {
    edit.leave()
    navigate(adminPath('models'))
  }
  const failed: Wording = (now) => now(saved ? 'registry.updateFailed' : 'registry.createFailed')
  const explain = (error: unknown): Wording => {
    if (edit.isRefusal(error)) return (now) => now('admin.conflict.title')
    for (const { field, message } of placeErrors(error, { fields, byCode: {}, fallback: failed(t) })) {
      if (field !== 'root') form.setError(field, { type: 'server', message }, { shouldFocus: true })
    }
    const said = modelFailure(failed)(error)
    setAlert({ words: said })
    return said
  }
  const save = (version: number | undefined) =>
    form.handleSubmit(async (values) => {
      setAlert(undefined)
      const faults = Object.entries(faultsOf(values)) as [keyof ModelValues, 'required' | 'number' | 'id'][]
      faults.forEach(([field, fault], index) => {
        form.setError(field, ownError(`registry.fault.${fault}`), { shouldFocus: index === 0 })
      })
      if (faults.length > 0) return setAlert({ words: (now) => now('registry.faults') })
      const { id, ...settings } = modelOf(values)
      const isSaved = await act(
        (requestId) =>
          saved
            ? request(calls.updateModel, {
                params: { id: saved.id },
                body: { ...settings, ...(version !== undefined && { version }) },
                requestId,
              })
            : request(calls.createModel, { body: { id, ...settings }, requestId }),
        { done: (now) => now(saved ? 'registry.updated' : 'registry.created'), failed, explain, undo: saved !== null },
      )
      if (isSaved) leave()
    })()
  return (
    <FormProvider {...form}>
      <Form aria-label={saved?.name ?? t('registry.new')} onSubmit={() => void save(edit.base)}>
        <FormAlert message={alert?.words(t)} />
        {edit.isRestored && !current && <RestoredNotice onDiscard={() => form.reset()} />}
        {current && !busy && (
          <ConflictNotice
            current={current}
            mine={modelOf(form.getValues())}
            onKeep={() => {
              edit.rebase(current)
              void save(current.version)
            }}
            onTake={() => {
              edit.rebase(current)
              form.reset(valuesOf(current))
            }}
          />
        )}
        <ModelFields isNew={saved === null} models={models} />
        <div className="sticky bottom-0 -mx-4 mt-6 -mb-16 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-page px-4 py-3">
          <TestConnection />
          <div className="flex gap-2">
            <Button onClick={leave}>{t('registry.cancel')}</Button>
            <ActButton type="submit" look="primary" busy={busy}>
              {t(saved ? 'registry.save' : 'registry.create')}
            </ActButton>
          </div>
        </div>
      </Form>
    </FormProvider>
  )
}
