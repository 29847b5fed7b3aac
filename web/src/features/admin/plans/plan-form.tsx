import type { AdminPlan } from '@parley/contracts'
import { request } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { TextField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { fieldErrorText } from '../data/field-error.ts'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { useEditForm } from '../parts/use-edit-form.tsx'
import { faultsOf, newPlanValues, planOf, valuesOf } from './plan-values.ts'

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

export function PlanForm({ saved, onDone }: Props) {
  const { t } = useText()
  const { form, submit, busy, notices } = useEditForm({
    name: planDraft(saved?.id ?? ''),
    saved,
    initial: saved ? valuesOf(saved) : newPlanValues,
    valuesOf,
    thingOf: planOf,
    faultsOf: (values) => faultsOf(values).map((field) => [field, `plans.fault.${field}`] as const),
    save: (values, version, requestId) => {
      const body = planOf(values)
      if (saved === null) return request(calls.createPlan, { body, requestId })
      return request(calls.updatePlan, {
        params: { id: saved.id },
        body: { ...body, ...(version !== undefined && { version }) },
        requestId,
      })
    },
    done: saved ? 'plans.updated' : 'plans.created',
    failed: 'plans.saveFailed',
    onSaved: onDone,
  })
  const { errors } = form.formState
  return (
    <Form onSubmit={submit}>
      {notices}
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
