import type { AuditEntry } from '@parley/contracts'
import { Undo2 } from 'lucide-react'
import { request } from '../../../shared/api/index.ts'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { copyText } from '../../../shared/copy-text.ts'
import { formatMoment } from '../../../shared/format.ts'
import { FormAlert } from '../../../shared/forms/index.ts'
import { T, useText } from '../../../shared/i18n/index.ts'
import { Dialog } from '../../../shared/ui/index.ts'
import { calls } from '../data/calls.ts'
import { differencesOf } from '../data/differences.ts'
import { undoFailure, useAct } from '../data/use-act.ts'
import { Tag } from '../parts/fields.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { AdminTable, type Column } from '../table/admin-table.tsx'
import { type Names, targetName, valueText } from './entry-names.ts'

interface Props {
  readonly entries: readonly AuditEntry[]
  /** Present names by id. Servers of the previous version do not send them. */
  readonly names?: Names
  readonly isOld?: boolean
  readonly empty: string
}

const canUndo = ({ reversible, undoneBy }: AuditEntry): boolean => reversible && undoneBy === undefined

/** Actions of admins: who changed what and when, with Undo. */
export function AuditList({ entries, names = {}, isOld = false, empty }: Props) {
  const { t, locale } = useText()
  const { asked, ask, failure, act, busy } = useAct<string>()
  const undo = (id: string) =>
    act((requestId) => request(calls.undo, { params: { id }, requestId }), {
      done: (now) => now('admin.undone'),
      failed: (now) => now('admin.undoFailed'),
      explain: undoFailure,
    })
  const columns: readonly Column<AuditEntry>[] = [
    { id: 'at', label: t('audit.column.at'), cell: ({ at }) => formatMoment(at, locale) },
    {
      id: 'actor',
      label: t('audit.column.actor'),
      cell: ({ actor, viewingAs }) =>
        viewingAs ? (
          <T
            id="audit.viewingAs"
            values={{ actor: actor.username, user: viewingAs.username }}
            components={{ n: <bdi /> }}
          />
        ) : (
          <bdi>{actor.username}</bdi>
        ),
    },
    {
      id: 'action',
      label: t('audit.column.action'),
      cell: ({ action }) => <code className="font-mono text-2xs">{action}</code>,
    },
    {
      id: 'target',
      label: t('audit.column.target'),
      cell: ({ target }) => <bdi title={target.id ?? undefined}>{targetName(target, names)}</bdi>,
    },
    {
      id: 'change',
      label: t('audit.column.change'),
      wideOnly: true,
      cell: (entry) => (
        <span dir="ltr" className="block w-fit max-w-full truncate @xl:max-w-72 text-ink-2">
          {changeText(entry, names)}
        </span>
      ),
    },
    { id: 'state', label: t('audit.column.state'), cell: (entry) => <EntryTag entry={entry} /> },
  ]
  const open = entries.find(({ id }) => id === asked)
  return (
    <>
      <AdminTable
        caption={t('admin.section.audit')}
        columns={columns}
        rows={entries}
        rowId={({ id }) => id}
        onOpen={({ id }) => ask(id)}
        isOld={isOld}
        empty={empty}
      />
      <Dialog open={open !== undefined} onClose={() => ask(null)} title={t('audit.entry')}>
        {open && <EntryDetail entry={open} {...{ names, failure, busy }} onUndo={() => void undo(open.id)} />}
      </Dialog>
    </>
  )
}

const changeText = ({ before, after }: AuditEntry, names: Names): string =>
  differencesOf(before, after)
    .map(
      ({ path, before: old, after: now }) => `${path}: ${valueText(path, old, names)} → ${valueText(path, now, names)}`,
    )
    .join(' · ')

function EntryTag({ entry }: { entry: AuditEntry }) {
  const { t } = useText()
  if (entry.undoneBy !== undefined) return <Tag tone="warn">{t('audit.undone')}</Tag>
  if (entry.undoes !== undefined) return <Tag>{t('audit.undoes')}</Tag>
  return entry.reversible ? <Tag tone="on">{t('audit.reversible')}</Tag> : null
}

interface DetailProps {
  readonly entry: AuditEntry
  readonly names: Names
  /** Why undoing failed. */
  readonly failure: string | undefined
  readonly busy: boolean
  readonly onUndo: () => void
}

function EntryDetail({ entry, names, failure, busy, onUndo }: DetailProps) {
  const { t, locale } = useText()
  const changes = differencesOf(entry.before, entry.after)
  const { id } = entry.target
  return (
    <>
      <p className="text-sm text-ink-2">
        <T
          id="audit.said"
          values={{ actor: entry.actor.username, at: formatMoment(entry.at, locale) }}
          components={{ n: <bdi /> }}
        />
      </p>
      <p className="mt-1 font-medium">
        <code className="font-mono text-sm">{entry.action}</code> · <bdi>{targetName(entry.target, names)}</bdi>
      </p>
      {id !== null && (
        <p className="flex items-center gap-1 text-2xs text-ink-3">
          <code dir="ltr" className="min-w-0 font-mono wrap-anywhere">
            {id}
          </code>
          <CopyButton copy={() => copyText(id)} label={t('audit.copyId')} size="small" />
        </p>
      )}
      {changes.length > 0 && (
        <dl className="mt-3 max-h-72 overflow-y-auto rounded-card border border-line px-3 py-2 text-sm">
          {changes.map(({ path, before, after }) => (
            <div key={path} className="py-1">
              <dt className="text-2xs text-ink-3">{path === '' ? t('audit.column.change') : path}</dt>
              <dd className="wrap-anywhere">
                <del className="text-ink-3">
                  <bdi>{valueText(path, before, names)}</bdi>
                </del>{' '}
                <span className="inline-block rtl:-scale-x-100">→</span>{' '}
                <ins className="no-underline">
                  <bdi>{valueText(path, after, names)}</bdi>
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="mt-4">
        <FormAlert message={failure} />
      </div>
      {canUndo(entry) && (
        <div className="mt-5 flex justify-end">
          <ActButton busy={busy} onClick={onUndo}>
            {!busy && <Undo2 className="size-4" />}
            {t('admin.undo')}
          </ActButton>
        </div>
      )}
    </>
  )
}
