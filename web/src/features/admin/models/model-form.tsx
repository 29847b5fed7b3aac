import type { Model } from '@parley/contracts'
import { FormProvider } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { adminPath } from '../frame/admin-path.ts'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { useEditForm } from '../parts/use-edit-form.tsx'
import { ModelFields } from './model-fields.tsx'
import { faultsOf, type ModelValues, modelOf, valuesOf } from './model-values.ts'
import { TestConnection } from './test-connection.tsx'
import { modelFailure } from './use-model-acts.ts'

interface Props {
  readonly initial: ModelValues
  /** The present model in the registry; null for a new one. */
  readonly saved: Model | null
  readonly models: readonly Model[]
}

export function ModelForm({ initial, saved, models }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const failed = saved ? 'registry.updateFailed' : 'registry.createFailed'
  const close = () => navigate(adminPath('models'))
  const { form, submit, busy, leave, notices } = useEditForm({
    name: saved ? `model:${saved.id}` : 'model',
    saved,
    initial,
    valuesOf,
    thingOf: modelOf,
    faultsOf: (values) => faultsOf(values).map(([field, fault]) => [field, `registry.fault.${fault}`] as const),
    save: (values, version, requestId) => {
      const { id, ...settings } = modelOf(values)
      if (saved === null) return request(calls.createModel, { body: { id, ...settings }, requestId })
      return request(calls.updateModel, {
        params: { id: saved.id },
        body: { ...settings, ...(version !== undefined && { version }) },
        requestId,
      })
    },
    done: saved ? 'registry.updated' : 'registry.created',
    failed,
    explain: modelFailure((now) => now(failed)),
    onSaved: close,
  })
  return (
    <FormProvider {...form}>
      <Form aria-label={saved?.name ?? t('registry.new')} onSubmit={submit}>
        {notices}
        <ModelFields isNew={saved === null} models={models} />
        <div className="sticky bottom-0 -mx-4 mt-6 -mb-16 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-page px-4 py-3">
          <TestConnection />
          <div className="flex gap-2">
            <Button
              onClick={() => {
                leave()
                close()
              }}
            >
              {t('shared.cancel')}
            </Button>
            <ActButton type="submit" look="primary" busy={busy}>
              {t(saved ? 'registry.save' : 'registry.create')}
            </ActButton>
          </div>
        </div>
      </Form>
    </FormProvider>
  )
}
