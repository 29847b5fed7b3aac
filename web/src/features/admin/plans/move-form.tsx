import type { AdminPlan } from '@parley/contracts'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { SelectField } from '../parts/fields.tsx'
import { DialogForm } from '../parts/form.tsx'

interface Props {
  readonly plan: { readonly users: number }
  readonly others: readonly AdminPlan[]
  readonly busy: boolean
  readonly onMove: (planId: string) => void
}

/** Asks which plan all users of this one are moved to, and says what that means for them. */
export function MoveForm({ plan, others, busy, onMove }: Props) {
  const { t } = useText()
  const [chosen, choose] = useState<string | null>(null)
  const to = chosen ?? (others.find((other) => other.default) ?? others[0])?.id ?? ''
  return (
    <DialogForm submit={t('plans.move.confirm')} busy={busy} onSubmit={() => onMove(to)}>
      <p className="mb-4 text-ink-2">{t('plans.move.text', { count: plan.users })}</p>
      <SelectField
        label={t('plans.move.to')}
        value={to}
        onChange={choose}
        options={others.map(({ id, name, monthlyCredits }) => ({
          value: id,
          text: t('people.plan.option', { name, credits: monthlyCredits }),
        }))}
      />
    </DialogForm>
  )
}
