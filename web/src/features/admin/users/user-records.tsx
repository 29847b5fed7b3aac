import type { AdminApiKey, Receipt } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../../shared/api/index.ts'
import { formatMoment } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { AuditList } from '../audit/audit-list.tsx'
import { auditQuery } from '../audit/audit-query.ts'
import { adminQuery } from '../data/admin-query.ts'
import { calls } from '../data/calls.ts'
import { Panel } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { AdminTable, type Column } from '../table/admin-table.tsx'
import { CsvButton } from '../table/list-bar.tsx'
import { StepPager } from '../table/step-pager.tsx'

const perPage = 20

/** The receipts of a user: what each answer cost and why. */
export function UserReceipts({ id }: { id: string }) {
  const { t, locale } = useText()
  const [trail, setTrail] = useState<readonly string[]>([])
  const query = { limit: perPage, cursor: trail.at(-1) }
  const receipts = useQuery(
    adminQuery(['receipts', id, query], (signal) => request(calls.receipts, { params: { id }, query, signal })),
  )
  const columns: readonly Column<Receipt>[] = [
    { id: 'at', label: t('people.receipt.time'), cell: ({ at }) => formatMoment(at, locale) },
    { id: 'model', label: t('usage.column.model'), cell: ({ model }) => model },
    { id: 'source', label: t('usage.column.source'), cell: ({ source }) => t(`usage.source.${source}`) },
    { id: 'charged', label: t('usage.column.charged'), end: true, cell: ({ charged }) => charged },
    {
      id: 'released',
      label: t('usage.column.released'),
      end: true,
      wideOnly: true,
      cell: ({ released }) => released,
    },
    { id: 'balance', label: t('usage.column.balance'), end: true, cell: ({ balanceAfter }) => balanceAfter },
    {
      id: 'reason',
      label: t('usage.column.reason'),
      wideOnly: true,
      cell: ({ reason }) => <span className="text-ink-2">{reason}</span>,
    },
  ]
  return (
    <Panel
      title={t('usage.receipts')}
      aside={
        <CsvButton
          call={{ ...calls.receipts, path: `/admin/users/${id}/receipts` }}
          query={{}}
          name={`receipts-${id}`}
        />
      }
    >
      <Loaded query={receipts} failed={t('people.receiptsFailed')}>
        {({ items, nextCursor }) => (
          <>
            <AdminTable
              caption={t('usage.receipts')}
              columns={columns}
              rows={items}
              rowId={({ generationId }) => generationId}
              isOld={receipts.isPlaceholderData}
              empty={t('people.noReceipts')}
            />
            <StepPager trail={trail} nextCursor={nextCursor} onStep={setTrail} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

/** The API keys of a user; they are managed in their own section. */
export function UserKeys({ id }: { id: string }) {
  const { t, locale } = useText()
  const keys = useQuery(
    adminQuery(['keys', { userId: id }], (signal) =>
      request(calls.keys, { query: { userId: id, limit: 100 }, signal }),
    ),
  )
  const columns: readonly Column<AdminApiKey>[] = [
    { id: 'label', label: t('tiers.column.label'), cell: ({ label }) => <bdi>{label}</bdi> },
    {
      id: 'secret',
      label: t('tiers.column.prefix'),
      cell: ({ prefix, lastFour }) => (
        <code dir="ltr" className="font-mono">
          {prefix}…{lastFour}
        </code>
      ),
    },
    { id: 'tier', label: t('tiers.column.tier'), cell: ({ tier }) => t(`keys.tier.${tier}`) },
    {
      id: 'used',
      label: t('tiers.column.used'),
      cell: ({ lastUsed }) => (lastUsed ? formatMoment(lastUsed, locale) : t('people.never')),
    },
    { id: 'requests', label: t('people.page.requests'), end: true, cell: ({ usage }) => usage.total.requests },
  ]
  return (
    <Panel title={t('people.keys')}>
      <Loaded query={keys} failed={t('keys.failed')}>
        {(page) => (
          <AdminTable
            caption={t('people.keys')}
            columns={columns}
            rows={page.keys}
            rowId={(key) => key.id}
            empty={t('people.noKeys')}
          />
        )}
      </Loaded>
    </Panel>
  )
}

/** The audit entries about a user. */
export function UserAudit({ id }: { id: string }) {
  const { t } = useText()
  const [trail, setTrail] = useState<readonly string[]>([])
  const entries = useQuery(auditQuery({ target: id, limit: perPage, cursor: trail.at(-1) }))
  return (
    <Panel title={t('people.audit')}>
      <Loaded query={entries} failed={t('audit.failed')}>
        {(page) => (
          <>
            <AuditList
              entries={page.entries}
              names={page.names}
              isOld={entries.isPlaceholderData}
              empty={t('people.noAudit')}
            />
            <StepPager trail={trail} nextCursor={page.nextCursor} onStep={setTrail} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}
