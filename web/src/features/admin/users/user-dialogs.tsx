import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newTrace } from '../../../shared/api/index.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog, Dialog, TextField } from '../../../shared/ui/index.ts'
import { SelectField } from '../parts/fields.tsx'
import { DialogForm } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { plansQuery } from '../plans/plans-query.ts'
import type { UserActs } from './use-user-acts.ts'

/** The open dialog, if any, about one or many users. */
export function UserDialogs({ acts, onDone }: { acts: UserActs; onDone: () => void }) {
  const { t } = useText()
  const { asked, ask, failure, busy } = acts
  const users = asked?.users ?? []
  const close = () => ask(null)
  const finish = async (work: Promise<boolean>) => {
    if (!(await work)) return
    close()
    onDone()
  }
  const alert = <FormAlert message={failure} />
  const names = { count: users.length, name: users[0]?.username ?? '' }
  return (
    <>
      <ConfirmDialog
        open={asked?.question === 'ban'}
        onClose={close}
        title={t('people.ban.title', names)}
        text={t('people.ban.text')}
        confirmLabel={t('people.ban.confirm', names)}
        busy={busy}
        onConfirm={() => void finish(acts.setBanned(users, true))}
      >
        {alert}
      </ConfirmDialog>
      <ConfirmDialog
        open={asked?.question === 'sessions'}
        onClose={close}
        title={t('people.sessions.title', names)}
        text={t('people.sessions.text')}
        confirmLabel={t('people.sessions.confirm')}
        busy={busy}
        onConfirm={() => void finish(acts.endSessions(users))}
      >
        {alert}
      </ConfirmDialog>
      <Dialog open={asked?.question === 'grant'} onClose={close} title={t('people.grant.title', names)}>
        {alert}
        <GrantForm busy={busy} onGrant={(...grant) => void finish(acts.grant(users, ...grant))} />
      </Dialog>
      <Dialog open={asked?.question === 'plan'} onClose={close} title={t('people.plan.title', names)}>
        {alert}
        <PlanForm busy={busy} now={users[0]?.plan?.id} onAssign={(planId) => void finish(acts.assign(users, planId))} />
      </Dialog>
    </>
  )
}

function GrantForm({ busy, onGrant }: { busy: boolean; onGrant: (amount: number, key: string) => void }) {
  const { t } = useText()
  const [key] = useState(() => newTrace().id)
  const [isRefused, setRefused] = useState(false)
  const submit = (values: FormData) => {
    const amount = Number(values.get('amount'))
    const isGrantable = Number.isInteger(amount) && amount >= 1 && amount <= 1_000_000_000
    setRefused(!isGrantable)
    if (isGrantable) onGrant(amount, key)
  }
  return (
    <DialogForm submit={t('people.grant.confirm')} busy={busy} onSubmit={submit}>
      <TextField
        name="amount"
        label={t('people.grant.amount')}
        hint={t('people.grant.hint')}
        error={isRefused ? t('people.grant.invalid') : undefined}
        type="number"
        min={1}
        step={1}
        inputMode="numeric"
        autoFocus
      />
    </DialogForm>
  )
}

interface PlanFormProps {
  readonly busy: boolean
  readonly now: string | undefined
  readonly onAssign: (planId: string) => void
}

function PlanForm({ busy, now, onAssign }: PlanFormProps) {
  const { t } = useText()
  const plans = useQuery(plansQuery)
  const [chosen, choose] = useState<string | null>(null)
  return (
    <Loaded query={plans} failed={t('people.plan.failed')}>
      {(all) => (
        <DialogForm
          submit={t('people.plan.confirm')}
          busy={busy}
          onSubmit={() => onAssign(chosen ?? now ?? all[0]?.id ?? '')}
        >
          <p className="mb-4 text-ink-2">{t('people.plan.text')}</p>
          <SelectField
            label={t('people.plan.label')}
            value={chosen ?? now ?? all[0]?.id ?? ''}
            onChange={choose}
            options={all.map(({ id, name, monthlyCredits }) => ({
              value: id,
              text: t('people.plan.option', { name, credits: monthlyCredits }),
            }))}
          />
        </DialogForm>
      )}
    </Loaded>
  )
}
