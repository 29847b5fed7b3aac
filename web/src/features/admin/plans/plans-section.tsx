import type { AdminPlan } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Pencil, Plus, Star, Trash2, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { request } from '../../../shared/api/index.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, ConfirmDialog, Dialog, MenuItem } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'
import { adminPath } from '../frame/admin-path.ts'
import { Page } from '../frame/page.tsx'
import { OwnText, Tag } from '../parts/fields.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ActButton, ActsOn } from '../parts/read-only.tsx'
import { dropFormDraft } from '../parts/use-edit-form.tsx'
import { AdminTable, type Column } from '../table/admin-table.tsx'
import { CsvButton, ListBar } from '../table/list-bar.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { PlanForm, planDraft } from './plan-form.tsx'
import { plansQuery } from './plans-query.ts'

type PlanRow = AdminPlan & { readonly users: number }

/** An action that needs confirmation, or another plan to move the users to. */
interface Question {
  readonly type: 'delete' | 'move'
  readonly plan: PlanRow
}

/** `/admin/plans`: the plans, what they grant, and their numbers of users. */
export function PlansSection() {
  const { t } = useText()
  const navigate = useNavigate()
  const plans = useQuery(plansQuery)
  const { act, busy, asked, ask, failure } = useAct<Question>()
  const [edited, edit] = useState<string | null>(null)
  const deleting = asked?.type === 'delete' ? asked.plan : null
  const moving = asked?.type === 'move' ? asked.plan : null
  const saved = plans.data?.find(({ id }) => id === edited) ?? null
  const close = () => {
    dropFormDraft(planDraft(edited ?? ''))
    edit(null)
  }
  const showUsers = (id: string) => navigate(`${adminPath('users')}?${new URLSearchParams({ plan: id })}`)
  const makeDefault = (plan: PlanRow) =>
    act((requestId) => request(calls.setDefaultPlan, { params: { id: plan.id }, requestId }), {
      done: (now) => now('plans.defaultSet'),
      failed: (now) => now('plans.defaultFailed'),
    })
  const remove = (plan: PlanRow) =>
    act((requestId) => request(calls.removePlan, { params: { id: plan.id }, requestId }), {
      done: (now) => now('plans.deleted'),
      failed: (now) => now('plans.deleteFailed'),
    })
  const moveUsers = (plan: PlanRow, planId: string) => {
    let isDone = true
    return act(
      async (requestId) => {
        const answer = await request(calls.movePlanUsers, { params: { id: plan.id }, body: { planId }, requestId })
        isDone = answer.done
      },
      {
        done: (now) => now(isDone ? 'plans.move.done' : 'plans.move.goesOn'),
        failed: (now) => now('plans.move.failed'),
      },
    )
  }
  const columns: readonly Column<PlanRow>[] = [
    { id: 'name', label: t('plans.field.name'), cell: ({ name }) => <OwnText>{name}</OwnText> },
    {
      id: 'description',
      label: t('plans.field.description'),
      wideOnly: true,
      cell: ({ description }) => (
        <bdi className="block w-fit max-w-80 text-ink-2 @xl:truncate">{description || '–'}</bdi>
      ),
    },
    { id: 'credits', label: t('plans.field.monthlyCredits'), end: true, cell: ({ monthlyCredits }) => monthlyCredits },
    {
      id: 'window',
      label: t('plans.window'),
      end: true,
      cell: ({ requestsPerWindow, windowMs }) =>
        t('plans.windowText', { requests: requestsPerWindow, seconds: windowMs / 1_000 }),
    },
    { id: 'users', label: t('plans.users'), end: true, cell: ({ users }) => users },
    {
      id: 'default',
      label: t('plans.state'),
      cell: (plan) => (plan.default ? <Tag tone="on">{t('plans.default')}</Tag> : '–'),
    },
  ]
  const others = (plans.data ?? []).filter(({ id }) => id !== moving?.id)
  const isKept = deleting !== null && (deleting.default || deleting.users > 0)
  return (
    <Page
      title={t('admin.section.plans')}
      actions={
        <ActsOn query={plans}>
          <ActButton look="primary" onClick={() => edit('')}>
            <Plus className="size-4 stroke-[1.8]" />
            {t('plans.new')}
          </ActButton>
        </ActsOn>
      }
    >
      <div>
        <ListBar>
          <CsvButton call={calls.plans} query={{}} name="plans" />
        </ListBar>
        <Loaded query={plans} failed={t('plans.failed')}>
          {(all) => (
            <AdminTable
              caption={t('admin.section.plans')}
              columns={columns}
              rows={all}
              rowId={({ id }) => id}
              rowName={({ name }) => name}
              onOpen={({ id }) => edit(id)}
              actions={(plan) => (
                <>
                  <MenuItem icon={<Pencil />} onSelect={() => edit(plan.id)}>
                    {t('plans.edit')}
                  </MenuItem>
                  <MenuItem icon={<UsersRound />} keepsFocus onSelect={() => showUsers(plan.id)}>
                    {t('plans.showUsers')}
                  </MenuItem>
                  {plan.users > 0 && all.length > 1 && (
                    <MenuItem icon={<ArrowRightLeft />} onSelect={() => ask({ type: 'move', plan })}>
                      {t('plans.moveAll')}
                    </MenuItem>
                  )}
                  {!plan.default && (
                    <MenuItem icon={<Star />} onSelect={() => void makeDefault(plan)}>
                      {t('plans.makeDefault')}
                    </MenuItem>
                  )}
                  <MenuItem icon={<Trash2 />} danger onSelect={() => ask({ type: 'delete', plan })}>
                    {t('plans.delete')}
                  </MenuItem>
                </>
              )}
              empty={t('plans.none')}
            />
          )}
        </Loaded>
      </div>
      <Dialog open={edited !== null} onClose={close} title={saved?.name ?? t('plans.new')}>
        <ActsOn query={plans}>
          <PlanForm key={edited} saved={saved} onDone={() => edit(null)} />
        </ActsOn>
      </Dialog>
      <ConfirmDialog
        open={deleting !== null && !isKept}
        onClose={() => ask(null)}
        title={t('plans.deleteQuestion')}
        text={t('plans.deleteText', { name: deleting?.name ?? '' })}
        confirmLabel={t('plans.delete')}
        busy={busy}
        onConfirm={() => deleting && void remove(deleting)}
      >
        <FormAlert message={failure} />
      </ConfirmDialog>
      <Dialog open={isKept} onClose={() => ask(null)} title={t('plans.inUse')}>
        <p className="text-ink-2">
          {deleting?.default ? t('plans.isDefault') : t('plans.hasUsers', { count: deleting?.users ?? 0 })}
        </p>
        {deleting && deleting.users > 0 && (
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={() => showUsers(deleting.id)}>{t('plans.showUsers')}</Button>
            <Button look="primary" onClick={() => ask({ type: 'move', plan: deleting })}>
              {t('plans.moveAll')}
            </Button>
          </div>
        )}
      </Dialog>
      <Dialog
        open={moving !== null}
        onClose={() => ask(null)}
        title={t('plans.move.title', { name: moving?.name ?? '' })}
      >
        <FormAlert message={failure} />
        {moving && (
          <PlanChoice
            text={t('plans.move.text', { count: moving.users })}
            label={t('plans.move.to')}
            submit={t('plans.move.confirm')}
            plans={others}
            usual={others.find((other) => other.default)?.id}
            busy={busy}
            onChoose={(planId) => void moveUsers(moving, planId)}
          />
        )}
      </Dialog>
    </Page>
  )
}
