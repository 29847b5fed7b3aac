import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog, Dialog, TextField } from '../../../shared/ui/index.ts'
import { DialogForm } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { PlanChoice } from '../plans/plan-choice.tsx'
import { plansQuery } from '../plans/plans-query.ts'
import type { UserActs } from './use-user-acts.ts'

/** The open dialog, if any, about one or many users. */
export function UserDialogs({ acts, onDone }: { acts: UserActs; onDone: () => void }) {
  const { t } = useText()
  const { asked, ask, failure, busy } = acts
  const plans = useQuery({ ...plansQuery, enabled: asked?.question === 'plan' })
  const users = asked?.users ?? []
  const close = () => ask(null)
  const finish = (work: Promise<boolean>) => void work.then((isDone) => isDone && onDone())
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
        onConfirm={() => finish(acts.setBanned(users, true))}
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
        onConfirm={() => finish(acts.endSessions(users))}
      >
        {alert}
      </ConfirmDialog>
      <Dialog open={asked?.question === 'grant'} onClose={close} title={t('people.grant.title', names)}>
        {alert}
        <GrantForm busy={busy} onGrant={(amount) => finish(acts.grant(users, amount))} />
      </Dialog>
      <Dialog open={asked?.question === 'plan'} onClose={close} title={t('people.plan.title', names)}>
        {alert}
        <Loaded query={plans} failed={t('plans.failed')}>
          {(all) => (
            <PlanChoice
              text={t('people.plan.text')}
              label={t('people.column.plan')}
              submit={t('people.plan.confirm')}
              plans={all}
              usual={users[0]?.plan?.id}
              busy={busy}
              onChoose={(planId) => finish(acts.assign(users, planId))}
            />
          )}
        </Loaded>
      </Dialog>
    </>
  )
}

function GrantForm({ busy, onGrant }: { busy: boolean; onGrant: (amount: number) => void }) {
  const { t } = useText()
  const [isRefused, setRefused] = useState(false)
  const submit = (values: FormData) => {
    const amount = Number(values.get('amount'))
    const isGrantable = Number.isInteger(amount) && amount >= 1 && amount <= 1_000_000_000
    setRefused(!isGrantable)
    if (isGrantable) onGrant(amount)
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
