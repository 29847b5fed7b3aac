import type { AdminPlan } from '@parley/contracts'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { request } from '../../../shared/api/index.ts'
import { FormAlert, placeErrors } from '../../../shared/forms/index.ts'
import { useText, type Wording } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { failureText } from '../data/failure-text.ts'
import { fieldErrorText, ownError } from '../data/field-error.ts'
import { useAct } from '../data/use-act.ts'
import { useFormEdit } from '../data/use-form-edit.ts'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { RestoredNotice } from '../parts/restored-notice.tsx'
import { faultsOf, newPlanValues, type PlanValues, planOf, valuesOf } from './plan-values.ts'

const fields = Object.keys(newPlanValues) as (keyof PlanValues)[]
const numbers = ['monthlyCredits', 'requestsPerWindow', 'windowSeconds'] as const

/** Fields in columns with a subgrid: a two-line label or an error does not move the other fields. */
const column = 'sm:row-span-3 sm:grid sm:grid-cols-1 sm:grid-rows-subgrid sm:gap-y-0 sm:[&>:first-child]:self-end'

/** The name of the unsaved values of a plan; empty for a new one. */
export const planDraft = (id: string): string => `plan:${id}`

interface Props {
  /** The present plan; null for a new one. */
  readonly saved: AdminPlan | null
  readonly onDone: () => void
}

/** The settings of a plan, in a dialog. */
export function PlanForm({ saved, onDone }: Props) {
  const { t } = useText()
  const form = useForm<PlanValues>({ defaultValues: saved ? valuesOf(saved) : newPlanValues })
  const edit = useFormEdit(form, planDraft(saved?.id ?? ''), saved)
  const { current } = edit
  const { act, busy } = useAct()
  const [alert, setAlert] = useState<{ readonly words: Wording }>()
  const { errors } = form.formState
  const explain = (error: unknown): Wording => {
    if (edit.isRefusal(error)) return (now) => now('admin.conflict.title')
    for (const { field, message } of placeErrors(error, { fields, byCode: {}, fallback: t('plans.saveFailed') })) {
      if (field !== 'root') form.setError(field, { type: 'server', message })
    }
    const said: Wording = (now) => failureText(error, now('plans.saveFailed'), now)
    setAlert({ words: said })
    return said
  }
  const save = (version: number | undefined) =>
    form.handleSubmit(async (values) => {
      setAlert(undefined)
      const faults = faultsOf(values)
      faults.forEach((field, index) => {
        form.setError(field, ownError(`plans.fault.${field}`), { shouldFocus: index === 0 })
      })
      if (faults.length > 0) return
      const body = planOf(values)
      const isSaved = await act(
        (requestId) =>
          saved
            ? request(calls.updatePlan, {
                params: { id: saved.id },
                body: { ...body, ...(version !== undefined && { version }) },
                requestId,
              })
            : request(calls.createPlan, { body, requestId }),
        {
          done: (now) => now(saved ? 'plans.updated' : 'plans.created'),
          failed: (now) => now('plans.saveFailed'),
          explain,
          undo: saved !== null,
        },
      )
      if (!isSaved) return
      edit.leave()
      onDone()
    })()
  return (
    <Form onSubmit={() => void save(edit.base)}>
      <FormAlert message={alert?.words(t)} />
      {edit.isRestored && !current && <RestoredNotice onDiscard={() => form.reset()} />}
      {current && !busy && (
        <ConflictNotice
          current={current}
          mine={{ ...current, ...planOf(form.getValues()) }}
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
      <div className="flex flex-col gap-4">
        <TextField
          {...form.register('name')}
          label={t('plans.field.name')}
          error={fieldErrorText(errors.name, t)}
          autoFocus
        />
        <TextField
          {...form.register('description')}
          label={t('plans.field.description')}
          error={fieldErrorText(errors.description, t)}
        />
        <div className="grid gap-x-4 max-sm:gap-y-4 sm:grid-cols-3">
          {numbers.map((name) => (
            <TextField
              key={name}
              {...form.register(name)}
              label={t(`plans.field.${name}`)}
              error={fieldErrorText(errors[name], t)}
              inputMode="numeric"
              className={column}
            />
          ))}
        </div>
      </div>
      <div className="mt-5 flex justify-end">
        <ActButton type="submit" look="primary" busy={busy}>
          {t(saved ? 'plans.save' : 'plans.create')}
        </ActButton>
      </div>
    </Form>
  )
}
