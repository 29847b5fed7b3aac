import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { SearchField } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { useUrlState } from '../data/use-url-state.ts'
import { Page } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { CsvButton, ListBar } from '../table/list-bar.tsx'
import { Pager } from '../table/pager.tsx'
import { AuditList } from './audit-list.tsx'
import { auditFilterOf, auditFilters, auditQuery } from './audit-query.ts'

const textFilters = ['actor', 'action', 'target'] as const
const dateFilters = ['from', 'to'] as const

/** `/admin/audit`: all actions of all admins. */
export function AuditSection() {
  const { t } = useText()
  const [filters, setFilters] = useUrlState(auditFilters)
  const filter = auditFilterOf(filters)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const entries = useQuery(auditQuery({ ...filter, cursor: filters.page || undefined }))
  return (
    <Page title={t('admin.section.audit')}>
      <div>
        <ListBar>
          {textFilters.map((name) => (
            <SearchField
              key={name}
              label={t(`audit.filter.${name}`)}
              value={filters[name]}
              onSearch={(value) => setFilters({ [name]: value }, { replace: true })}
            />
          ))}
          <span className="flex flex-wrap items-center gap-2">
            {dateFilters.map((name) => (
              <label key={name} className="flex items-center gap-1.5 text-sm text-ink-2">
                {t(`audit.filter.${name}`)}
                <input
                  type="date"
                  value={filters[name]}
                  onChange={({ target }) => setFilters({ [name]: target.value }, { replace: true })}
                  className="h-9 rounded-card border border-field-line bg-overlay px-2 text-ink"
                />
              </label>
            ))}
          </span>
          <CsvButton call={calls.audit} query={filter} name="audit" />
        </ListBar>
        <Loaded query={entries} failed={t('audit.failed')} shape={['100%', '100%', '100%', '100%']}>
          {(page) => (
            <>
              <AuditList
                entries={page.entries}
                names={page.names}
                isOld={entries.isPlaceholderData}
                empty={t(isFiltered ? 'audit.none' : 'audit.empty')}
              />
              <Pager nextCursor={page.nextCursor} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  )
}
