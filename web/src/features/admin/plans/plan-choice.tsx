import type { AdminPlan } from '@parley/contracts'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { SelectField } from '../../../shared/ui/index.ts'
import { DialogForm } from '../parts/form.tsx'

interface Props {
  /** What the choice means. */
  readonly text: string
  readonly label: string
  readonly submit: string
  readonly plans: readonly AdminPlan[]
  /** The id of the plan that is chosen at first; the first one by default. */
  readonly usual: string | undefined
  readonly busy: boolean
  readonly onChoose: (planId: string) => void
}

/** Asks for one of some plans. */
export function PlanChoice({ text, label, submit, plans, usual, busy, onChoose }: Props) {
  const { t } = useText()
  const [chosen, choose] = useState<string | null>(null)
  const planId = chosen ?? usual ?? plans[0]?.id ?? ''
  return (
    <DialogForm submit={submit} busy={busy} onSubmit={() => onChoose(planId)}>
      <p className="mb-4 text-ink-2">{text}</p>
      <SelectField
        label={label}
        value={planId}
        onChange={choose}
        options={plans.map(({ id, name, monthlyCredits }) => ({
          name: id,
          text: t('people.plan.option', { name, credits: monthlyCredits }),
        }))}
      />
    </DialogForm>
  )
}
