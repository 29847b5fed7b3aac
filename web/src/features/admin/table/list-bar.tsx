import { FileDown, Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { apiFetch, type Endpoint, pathOf } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { saveResponse } from '../../../shared/save-file.ts'
import { Button, notify } from '../../../shared/ui/index.ts'
import { failureText } from '../data/failure-text.ts'
import { SelectField } from '../parts/fields.tsx'

/** Milliseconds without typing before the search runs. */
const typingPauseMs = 250

/** A search field that searches when typing pauses, or immediately on Enter. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string
  value: string
  onSearch: (text: string) => void
}) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<number | undefined>(undefined)
  useEffect(() => {
    // Back and forward change the URL; the value sent by this field is already there.
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const send = (next: string) => {
    window.clearTimeout(timer.current)
    sent.current = next
    onSearch(next)
  }
  return (
    <search className="flex min-w-40 flex-1 md:max-w-80">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(text)
        }}
        className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-card border border-field-line px-3 focus-within:border-brand focus-within:ring-3 focus-within:ring-brand-weak"
      >
        <Search className="size-4 shrink-0 text-ink-3" />
        <input
          type="search"
          dir="auto"
          aria-label={label}
          placeholder={label}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            window.clearTimeout(timer.current)
            timer.current = window.setTimeout(() => send(target.value), typingPauseMs)
          }}
          className="min-w-0 flex-1 bg-transparent text-ellipsis outline-none placeholder:text-ink-3 max-md:text-[1rem]"
        />
      </form>
    </search>
  )
}

/** A filter by one of a few values; its first option means no filter. */
export const Filter = (props: ComponentProps<typeof SelectField>) => <SelectField {...props} isFilter />

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
