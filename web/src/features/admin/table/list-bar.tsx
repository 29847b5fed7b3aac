import { FileDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { apiFetch, type Endpoint, pathOf } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { saveResponse } from '../../../shared/save-file.ts'
import { Button, notify, SelectField } from '../../../shared/ui/index.ts'
import { failureText } from '../data/failure-text.ts'

/** A filter by one of a few values; its first option means no filter. */
export const Filter = (props: ComponentProps<typeof SelectField>) => (
  <SelectField {...props} isFilter className="relative max-w-60" />
)

/** Search, filters and actions above a table. */
export const ListBar = ({ children }: { children: ReactNode }) => (
  <div className="mb-3 flex flex-wrap items-center gap-2">{children}</div>
)

interface CsvProps<R> {
  readonly call: Endpoint<R>
  readonly query: Readonly<Record<string, string | undefined>>
  /** The file name without its extension. */
  readonly name: string
}

/** Downloads all rows that match the filters as CSV, made by the server. */
export function CsvButton<R>({ call, query, name }: CsvProps<R>) {
  const { t } = useText()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await saveResponse(
        await apiFetch(pathOf(call, { query: { ...query, format: 'csv' } }), { timeoutMs: 0 }),
        `${name}.csv`,
      )
    } catch (error) {
      notify.error((now) => failureText(error, now('admin.table.csvFailed'), now), { id: 'admin' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button busy={busy} aria-label={t('admin.table.csvLabel')} onClick={() => void save()} className="md:ms-auto">
      {!busy && <FileDown className="size-4" />}
      {t('admin.table.csv')}
    </Button>
  )
}

interface BulkProps {
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Actions on all selected rows. */
export function BulkBar({ count, onClear, children }: BulkProps) {
  const { t } = useText()
  return (
    <div role="status" className={count > 0 ? 'mb-3 flex flex-wrap items-center gap-2' : 'sr-only'}>
      {count > 0 && (
        <>
          <span className="me-1 text-sm text-ink-2">{t('admin.table.selected', { count })}</span>
          {children}
          <Button size="small" look="quiet" onClick={onClear}>
            {t('admin.table.clear')}
          </Button>
        </>
      )}
    </div>
  )
}
