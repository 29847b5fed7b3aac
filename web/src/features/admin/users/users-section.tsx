import type { AdminUser } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useText } from '../../../shared/i18n/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { SearchField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { useUrlState } from '../data/use-url-state.ts'
import { adminPath } from '../frame/admin-path.ts'
import { Page } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ActButton, ActsOn } from '../parts/read-only.tsx'
import { plansQuery } from '../plans/plans-query.ts'
import { AdminTable } from '../table/admin-table.tsx'
import { BulkBar, CsvButton, Filter, ListBar } from '../table/list-bar.tsx'
import { Pager } from '../table/pager.tsx'
import { noSelection, selectedOf } from '../table/selection.ts'
import { useUserActs } from './use-user-acts.ts'
import { useUserColumns } from './user-columns.tsx'
import { UserDialogs } from './user-dialogs.tsx'
import { UserMenu } from './user-menu.tsx'
import { UserPage } from './user-page.tsx'
import { userFilters, userListQuery, usersQuery } from './user-queries.ts'
import { canChangeRights } from './user-rights.ts'
import { WithoutBilling } from './without-billing.tsx'

/** `/admin/users`: all accounts, each with a page of its own below. */
export const UsersSection = ({ rest }: { rest: string }) =>
  rest === '' ? <UserList /> : <UserPage key={rest} id={rest} />

function UserList() {
  const { t } = useText()
  const navigate = useNavigate()
  const actor = useSession((state) => state.user)
  const [filters, setFilters] = useUrlState(userFilters)
  const users = useQuery(usersQuery(filters))
  const plans = useQuery(plansQuery)
  const [selection, setSelection] = useState(noSelection)
  const acts = useUserActs()
  const columns = useUserColumns()
  const filter = (name: 'state' | 'type' | 'plan') => (value: string) => {
    setSelection(noSelection)
    setFilters({ [name]: value })
  }
  const isUnbilled = users.data?.without !== undefined
  const selected = selectedOf(users.data?.users ?? [], ({ _id }) => _id, selection)
  const bannable = selected.filter((user) => actor && canChangeRights(actor, user))
  const [banned, unbanned] = [bannable.filter((user) => user.banned), bannable.filter((user) => !user.banned)]
  const ask = (question: 'ban' | 'grant' | 'plan', asked: readonly AdminUser[]) => () =>
    acts.ask({ question, users: asked })
  return (
    <Page title={t('admin.section.users')}>
      <div>
        <ListBar>
          <SearchField
            label={t('people.search')}
            value={filters.query}
            onSearch={(query) => setFilters({ query }, { replace: true })}
          />
          <Filter
            label={t('people.column.state')}
            value={filters.state}
            onChange={filter('state')}
            options={(['', 'active', 'banned', 'admin'] as const).map((name) => ({
              name,
              text: t(`people.state.${name || 'any'}`),
            }))}
          />
          <Filter
            label={t('people.column.type')}
            value={filters.type}
            onChange={filter('type')}
            options={(['', 'local', 'oauth'] as const).map((name) => ({
              name,
              text: t(`people.type.${name || 'any'}`),
            }))}
          />
          <Filter
            label={t('people.column.plan')}
            value={filters.plan}
            onChange={filter('plan')}
            options={[
              { name: '', text: t('people.filter.allPlans') },
              ...(plans.data ?? []).map(({ id, name }) => ({ name: id, text: name })),
            ]}
          />
          <CsvButton call={calls.users} query={userListQuery(filters)} name="users" />
        </ListBar>
        <ActsOn query={users}>
          <BulkBar count={selected.length} onClear={() => setSelection(noSelection)}>
            <ActButton size="small" disabled={isUnbilled} onClick={ask('plan', selected)}>
              {t('people.bulk.plan', { count: selected.length })}
            </ActButton>
            <ActButton size="small" disabled={isUnbilled} onClick={ask('grant', selected)}>
              {t('people.bulk.grant', { count: selected.length })}
            </ActButton>
            {banned.length > 0 && (
              <ActButton size="small" busy={acts.busy} onClick={() => void acts.setBanned(banned, false)}>
                {t('people.bulk.unban', { count: banned.length })}
              </ActButton>
            )}
            {unbanned.length > 0 && (
              <ActButton size="small" look="danger" onClick={ask('ban', unbanned)}>
                {t('people.bulk.ban', { count: unbanned.length })}
              </ActButton>
            )}
          </BulkBar>
        </ActsOn>
        <Loaded query={users} failed={t('admin.failed')} shape={['100%', '100%', '100%', '100%', '100%']}>
          {(page) => (
            <>
              {page.without && <WithoutBilling {...page.without} />}
              <AdminTable
                caption={t('admin.section.users')}
                columns={columns}
                rows={page.users}
                rowId={({ _id }) => _id}
                rowName={({ username }) => username}
                onOpen={({ _id }) => navigate(adminPath('users', _id))}
                actions={(user) => <UserMenu user={user} acts={acts} isBilled={!page.without} />}
                selection={selection}
                onSelect={setSelection}
                sort={{
                  column: filters.sort === '' ? 'createdAt' : filters.sort,
                  order: filters.order === 'asc' ? 'asc' : 'desc',
                  onSort: (sort, order) => setFilters({ sort, order }),
                }}
                isOld={users.isPlaceholderData}
                empty={t('people.none')}
              />
              <Pager nextCursor={page.nextCursor} />
            </>
          )}
        </Loaded>
      </div>
      <UserDialogs acts={acts} onDone={() => setSelection(noSelection)} />
    </Page>
  )
}
