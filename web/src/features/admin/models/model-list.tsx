import type { Model } from '@parley/contracts'
import { Copy, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { FormAlert } from '../../../shared/forms/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { ProviderMark } from '../../../shared/provider-mark/index.ts'
import { ConfirmDialog, Dialog, MenuItem, SearchField, TypedConfirm } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { useUrlState } from '../data/use-url-state.ts'
import { adminPath } from '../frame/admin-path.ts'
import { Page, Panel } from '../frame/page.tsx'
import { Loaded, type LoadState } from '../parts/loaded.tsx'
import { ActButton, ActsOn } from '../parts/read-only.tsx'
import { AdminTable } from '../table/admin-table.tsx'
import { BulkBar, CsvButton, Filter, ListBar } from '../table/list-bar.tsx'
import { noSelection, selectedOf } from '../table/selection.ts'
import { StepPager } from '../table/step-pager.tsx'
import { filterModels, modelsPerPage } from './filter-models.ts'
import { useModelColumns } from './model-columns.tsx'
import { newModelPath, type Provider, providerNames, providers } from './model-values.ts'
import { useModelActs } from './use-model-acts.ts'

const names = ['query', 'provider', 'enabled', 'page'] as const
/** The registry by provider and group. */
export function ModelList({ query }: { query: LoadState<Model[]> }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [filters, setFilters] = useUrlState(names)
  const acts = useModelActs()
  const [selection, setSelection] = useState(noSelection)
  const { asked, ask } = acts
  const toggling = asked?.type === 'toggle' ? asked : null
  const deleting = asked?.type === 'delete' ? asked.model : null
  const alert = <FormAlert message={acts.failure} />
  const columns = useModelColumns((model, enabled) => void acts.toggle([model], enabled))
  const open = (id: string, copy?: string) =>
    navigate({ pathname: adminPath('models', id), search: copy ? String(new URLSearchParams({ copy })) : '' })
  const askToggle = (models: readonly Model[], enabled: boolean, provider?: Provider) =>
    ask({ type: 'toggle', enabled, provider, count: models.filter((model) => model.enabled !== enabled).length })
  return (
    <Page
      title={t('admin.section.models')}
      actions={
        <ActsOn query={query}>
          <ActButton look="primary" onClick={() => open(newModelPath)}>
            <Plus className="size-4 stroke-[1.8]" />
            {t('registry.new')}
          </ActButton>
        </ActsOn>
      }
    >
      <Loaded query={query} failed={t('registry.failed')} shape={['100%', '100%', '100%', '100%']}>
        {(models) => {
          const found = filterModels(models, filters)
          const page = Number(filters.page) || 0
          const shown = found.slice(page * modelsPerPage, (page + 1) * modelsPerPage)
          const selected = selectedOf(models, ({ id }) => id, selection)
          return (
            <>
              <ListBar>
                <SearchField
                  label={t('registry.search')}
                  value={filters.query}
                  onSearch={(text) => setFilters({ query: text }, { replace: true })}
                />
                <Filter
                  label={t('registry.column.provider')}
                  value={filters.provider}
                  onChange={(provider) => setFilters({ provider })}
                  options={[
                    { name: '', text: t('registry.allProviders') },
                    ...providers.map((name) => ({ name, text: providerNames[name] })),
                  ]}
                />
                <Filter
                  label={t('registry.field.enabled')}
                  value={filters.enabled}
                  onChange={(enabled) => setFilters({ enabled })}
                  options={[
                    { name: '', text: t('registry.state.any') },
                    { name: 'true', text: t('registry.state.enabled') },
                    { name: 'false', text: t('registry.state.disabled') },
                  ]}
                />
                <ActButton onClick={() => askToggle(models, true)} disabled={models.every(({ enabled }) => enabled)}>
                  {t('registry.enableAll')}
                </ActButton>
                <ActButton onClick={() => askToggle(models, false)} disabled={models.every(({ enabled }) => !enabled)}>
                  {t('registry.disableAll')}
                </ActButton>
                <CsvButton
                  call={calls.models}
                  query={{
                    query: filters.query || undefined,
                    provider: filters.provider || undefined,
                    enabled: filters.enabled || undefined,
                  }}
                  name="models"
                />
              </ListBar>
              <BulkBar count={selected.length} onClear={() => setSelection(noSelection)}>
                {[true, false].map((enabled) => (
                  <ActButton
                    key={String(enabled)}
                    size="small"
                    busy={acts.busy}
                    onClick={() =>
                      void acts.toggle(selected, enabled).then((isDone) => isDone && setSelection(noSelection))
                    }
                  >
                    {t(enabled ? 'registry.enableCount' : 'registry.disableCount', { count: selected.length })}
                  </ActButton>
                ))}
              </BulkBar>
              {shown.length === 0 && (
                <p className="rounded-card border border-line p-5 text-ink-2">{t('registry.none')}</p>
              )}
              <div className="mt-5 flex flex-col gap-7">
                {providers
                  .map((provider) => ({ provider, rows: shown.filter((model) => model.provider === provider) }))
                  .filter(({ rows }) => rows.length > 0)
                  .map(({ provider, rows }) => {
                    const all = models.filter((model) => model.provider === provider)
                    const on = all.filter(({ enabled }) => enabled).length
                    return (
                      <Panel
                        key={provider}
                        title={providerNames[provider]}
                        mark={<ProviderMark provider={provider} />}
                        lead={t('registry.enabledOf', { on, count: all.length })}
                        aside={
                          <span className="flex gap-2">
                            <ActButton
                              size="small"
                              disabled={on === all.length}
                              onClick={() => askToggle(all, true, provider)}
                            >
                              {t('registry.enableCount', { count: all.length - on })}
                            </ActButton>
                            <ActButton size="small" disabled={on === 0} onClick={() => askToggle(all, false, provider)}>
                              {t('registry.disableCount', { count: on })}
                            </ActButton>
                          </span>
                        }
                      >
                        <AdminTable
                          caption={t('registry.of', { provider: providerNames[provider] })}
                          columns={columns}
                          aligned
                          rows={rows}
                          rowId={({ id }) => id}
                          rowName={({ name }) => name}
                          onOpen={({ id }) => open(id)}
                          actions={(model) => (
                            <>
                              <MenuItem icon={<Pencil />} keepsFocus onSelect={() => open(model.id)}>
                                {t('registry.edit')}
                              </MenuItem>
                              <MenuItem icon={<Copy />} keepsFocus onSelect={() => open(newModelPath, model.id)}>
                                {t('registry.copy')}
                              </MenuItem>
                              <MenuItem icon={<Trash2 />} danger onSelect={() => ask({ type: 'delete', model })}>
                                {t('registry.delete')}
                              </MenuItem>
                            </>
                          )}
                          selection={selection}
                          onSelect={setSelection}
                          empty={t('registry.none')}
                        />
                      </Panel>
                    )
                  })}
              </div>
              <StepPager
                trail={Array.from({ length: page }, (_, index) => String(index + 1))}
                nextCursor={(page + 1) * modelsPerPage < found.length ? String(page + 1) : null}
                onStep={(trail) => setFilters({ page: trail.length === 0 ? '' : String(trail.length) })}
              />
            </>
          )
        }}
      </Loaded>
      <ConfirmDialog
        open={toggling !== null}
        onClose={() => ask(null)}
        title={t(toggling?.enabled ? 'registry.toggle.enable' : 'registry.toggle.disable', {
          count: toggling?.count ?? 0,
        })}
        text={t(toggling?.enabled ? 'registry.toggle.enableText' : 'registry.toggle.disableText')}
        confirmLabel={t(toggling?.enabled ? 'registry.enableCount' : 'registry.disableCount', {
          count: toggling?.count ?? 0,
        })}
        busy={acts.busy}
        onConfirm={() => toggling && void acts.toggleAll(toggling.count, toggling.enabled, toggling.provider)}
      >
        {alert}
      </ConfirmDialog>
      {deleting && (
        <Dialog
          open
          onClose={() => ask(null)}
          title={t('registry.remove.title', { name: deleting.name })}
          closable={false}
        >
          {alert}
          <TypedConfirm
            expected={deleting.id}
            text={t('registry.remove.text')}
            label={t('registry.remove.confirm', { id: deleting.id })}
            mismatch={t('registry.remove.mismatch')}
            confirmLabel={t('registry.delete')}
            busy={acts.busy}
            onConfirm={() => void acts.remove(deleting)}
            onCancel={() => ask(null)}
          />
        </Dialog>
      )}
    </Page>
  )
}
