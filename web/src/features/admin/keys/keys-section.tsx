import { useQuery } from '@tanstack/react-query'
import { Ban, Gauge, RotateCcw, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { ConfirmDialog, Dialog, MenuGroup, MenuItem, MenuSeparator, SearchField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { useUrlState } from '../data/use-url-state.ts'
import { Page, Panel } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ActButton, ActsOn } from '../parts/read-only.tsx'
import { AdminTable } from '../table/admin-table.tsx'
import { BulkBar, CsvButton, Filter, ListBar } from '../table/list-bar.tsx'
import { Pager } from '../table/pager.tsx'
import { noSelection, selectedOf } from '../table/selection.ts'
import { CustomForm } from './custom-form.tsx'
import { useKeyColumns } from './key-columns.tsx'
import { keyFilters, keyListQuery, keysQuery, tierNames } from './key-queries.ts'
import { TierTable } from './tier-table.tsx'
import { useKeyActs } from './use-key-acts.ts'
import { VerifyForm } from './verify-form.tsx'

const fixedTiers = [1, 2, 3, 4] as const
/** `/admin/keys`: the API keys of all users, their tiers and usage. */
export function KeysSection() {
  const { t } = useText()
  const [filters, setFilters] = useUrlState(keyFilters)
  const keys = useQuery(keysQuery(filters))
  const acts = useKeyActs()
  const [selection, setSelection] = useState(noSelection)
  const { asked, ask } = acts
  const columns = useKeyColumns()
  const selected = selectedOf(keys.data?.keys ?? [], ({ id }) => id, selection)
  const finish = (work: Promise<boolean>) => void work.then((isDone) => isDone && setSelection(noSelection))
  const confirm = () => {
    if (asked?.type === 'revoke') finish(acts.revoke(asked.keys))
    if (asked?.type === 'reset') finish(acts.reset(asked.keys))
    if (asked?.type === 'resetAll') finish(acts.resetAll())
  }
  const count = asked && 'keys' in asked ? asked.keys.length : 0
  const alert = <FormAlert message={acts.failure} />
  return (
    <Page
      title={t('admin.section.keys')}
      actions={
        <ActsOn query={keys}>
          <ActButton onClick={() => ask({ type: 'resetAll' })}>{t('tiers.reset.all')}</ActButton>
        </ActsOn>
      }
    >
      <div>
        <ListBar>
          <SearchField
            label={t('tiers.search')}
            value={filters.query}
            onSearch={(text) => setFilters({ query: text }, { replace: true })}
          />
          <Filter
            label={t('tiers.column.tier')}
            value={filters.tier}
            onChange={(tier) => setFilters({ tier })}
            options={[
              { name: '', text: t('tiers.any') },
              ...tierNames.map((name) => ({ name, text: t(`keys.tier.${name}`) })),
            ]}
          />
          <CsvButton call={calls.keys} query={keyListQuery(filters)} name="api-keys" />
        </ListBar>
        <ActsOn query={keys}>
          <BulkBar count={selected.length} onClear={() => setSelection(noSelection)}>
            <ActButton size="small" onClick={() => ask({ type: 'reset', keys: selected })}>
              {t('tiers.reset.count', { count: selected.length })}
            </ActButton>
            <ActButton size="small" look="danger" onClick={() => ask({ type: 'revoke', keys: selected })}>
              {t('tiers.revoke.count', { count: selected.length })}
            </ActButton>
          </BulkBar>
        </ActsOn>
        <Loaded query={keys} failed={t('keys.failed')} shape={['100%', '100%', '100%', '100%']}>
          {(page) => (
            <>
              <AdminTable
                caption={t('admin.section.keys')}
                columns={columns}
                rows={page.keys}
                rowId={({ id }) => id}
                rowName={({ label }) => label}
                actions={(key) => (
                  <>
                    <MenuGroup label={t('tiers.column.tier')}>
                      {fixedTiers.map((tier) => (
                        <MenuItem
                          key={tier}
                          icon={<Gauge />}
                          checked={key.tier === tier}
                          onSelect={() => void acts.setTier([key], tier)}
                        >
                          {t(`keys.tier.${tier}`)}
                        </MenuItem>
                      ))}
                      <MenuItem
                        icon={<SlidersHorizontal />}
                        checked={key.tier === 5}
                        onSelect={() => ask({ type: 'custom', key })}
                      >
                        {t('tiers.custom.open')}
                      </MenuItem>
                    </MenuGroup>
                    <MenuSeparator />
                    <MenuItem icon={<RotateCcw />} onSelect={() => ask({ type: 'reset', keys: [key] })}>
                      {t('tiers.reset.open')}
                    </MenuItem>
                    <MenuItem icon={<Ban />} danger onSelect={() => ask({ type: 'revoke', keys: [key] })}>
                      {t('tiers.revoke.open')}
                    </MenuItem>
                  </>
                )}
                selection={selection}
                onSelect={setSelection}
                isOld={keys.isPlaceholderData}
                empty={t(filters.query || filters.tier ? 'tiers.noMatch' : 'tiers.none')}
              />
              <Pager nextCursor={page.nextCursor} />
            </>
          )}
        </Loaded>
      </div>
      {!keys.isPending && (
        <div className="grid grid-cols-1 items-start gap-7 lg:grid-cols-2">
          <Panel title={t('tiers.title')} lead={t('tiers.lead')}>
            <TierTable />
          </Panel>
          <Panel title={t('tiers.verify.title')} lead={t('tiers.verify.lead')}>
            <VerifyForm onFound={({ id }) => setFilters({ query: id, tier: '' })} />
          </Panel>
        </div>
      )}
      <Dialog
        open={asked?.type === 'custom'}
        onClose={() => ask(null)}
        title={t('tiers.custom.title', { label: asked?.type === 'custom' ? asked.key.label : '' })}
      >
        {alert}
        {asked?.type === 'custom' && (
          <CustomForm
            apiKey={asked.key}
            busy={acts.busy}
            onSave={(limits) => finish(acts.setTier([asked.key], 5, limits))}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={asked !== null && asked.type !== 'custom'}
        onClose={() => ask(null)}
        title={
          asked?.type === 'resetAll'
            ? t('tiers.reset.allTitle')
            : t(asked?.type === 'revoke' ? 'tiers.revoke.title' : 'tiers.reset.title', { count })
        }
        text={t(asked?.type === 'revoke' ? 'keys.revoke.text' : 'tiers.reset.text')}
        confirmLabel={
          asked?.type === 'resetAll'
            ? t('tiers.reset.all')
            : t(asked?.type === 'revoke' ? 'tiers.revoke.count' : 'tiers.reset.count', { count })
        }
        busy={acts.busy}
        onConfirm={confirm}
      >
        {alert}
      </ConfirmDialog>
    </Page>
  )
}
