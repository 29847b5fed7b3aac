import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { isModified } from '../../../shared/keyboard/index.ts'
import { classNames, OptionsMenu } from '../../../shared/ui/index.ts'
import { useReadOnly } from '../parts/read-only.tsx'
import { type Selection, selectAll, selectRow } from './selection.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** A column with its heading and cells. The first column names the row. */
export interface Column<Row> {
  readonly id: string
  readonly label: string
  /** A number is written as in the language. */
  readonly cell: (row: Row) => ReactNode
  /** Aligned to the end, as numbers are. */
  readonly end?: boolean
  /** Rows can be sorted by it. */
  readonly sortable?: boolean
  /** Hidden on a tablet, but not in a phone's cards. */
  readonly wideOnly?: boolean
  /** A class for its width in a table with `aligned` columns; the first column takes the remaining width. */
  readonly width?: string
}

/** The column and direction that rows are sorted by. */
export interface Sort {
  readonly column: string
  readonly order: 'asc' | 'desc'
  readonly onSort: (column: string, order: 'asc' | 'desc') => void
}

interface Props<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  /** Names the row's menu and checkbox. */
  readonly rowName?: (row: Row) => string
  /** The items of a row's menu. */
  readonly actions?: (row: Row) => ReactNode
  /** Called by Enter on a row and by a click on its name. */
  readonly onOpen?: (row: Row) => void
  readonly selection?: Selection
  readonly onSelect?: (selection: Selection) => void
  readonly sort?: Sort
  /** Columns have the same widths as in other tables with the same columns; overflow is cut off. */
  readonly aligned?: boolean
  /** Other rows are being loaded. */
  readonly isOld?: boolean
  /** Shown instead of rows if there are none. */
  readonly empty: string
}

/** The rows that are painted first, more than a screen has; the others follow, so that they do not delay these. */
const firstRows = 20

// The explicit roles keep the phone's cards a table for screen readers.
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  name: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/**
 * A table that scrolls in its own box below a sticky head, with cards on a phone. Arrows, Home and End move between rows, Enter opens a row,
 * Space selects it, Shift extends the selection. A row takes over the focus of what an action removed.
 */
export function AdminTable<Row>(props: Props<Row>) {
  const { t } = useText()
  const { caption, columns, rows, rowId, selection, onSelect, sort, isOld = false, empty } = props
  const box = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const ids = rows.map(rowId)
  useKeptFocus(
    box,
    ids.some((id) => selection?.ids.has(id)),
  )
  const painted = Math.max(firstRows, useDeferredValue(rows.length, firstRows))
  const tabStop = focused !== null && ids.includes(focused) ? focused : ids[0]
  const select = (id: string, range: boolean) => selection && onSelect?.(selectRow(selection, ids, id, range))
  const move = (event: KeyboardEvent, row: Row) => {
    if (event.target !== event.currentTarget || isModified(event)) return
    const at = ids.indexOf(rowId(row))
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: ids.length - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      const target =
        box.current?.querySelectorAll<HTMLElement>('[data-row]')[Math.min(Math.max(next, 0), ids.length - 1)]
      target?.focus()
      const id = ids[next]
      if (event.shiftKey && id !== undefined && selection && onSelect) {
        const anchored = selection.anchor === null ? selectRow(selection, ids, rowId(row), false) : selection
        onSelect(selectRow(anchored, ids, id, true))
      }
    } else if (event.key === ' ' && selection) {
      event.preventDefault()
      select(rowId(row), event.shiftKey)
    } else if (event.key === 'Enter' && props.onOpen) {
      event.preventDefault()
      props.onOpen(row)
    }
  }
  if (rows.length === 0) {
    return (
      <div ref={box}>
        <p data-empty tabIndex={-1} className="rounded-card border border-line p-5 text-ink-2">
          {empty}
        </p>
      </div>
    )
  }
  return (
    <div ref={box} className="@container">
      {/* biome-ignore lint/a11y/useSemanticElements: not a fieldset, and a region would be a second landmark beside its section */}
      <div
        role="group"
        aria-label={caption}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
        tabIndex={0}
        className={classNames(
          'max-h-[calc(100dvh-11rem)] overflow-auto rounded-xl border border-line transition-opacity @max-xl:max-h-none @max-xl:overflow-visible @max-xl:rounded-none @max-xl:border-0',
          isOld && 'opacity-60',
        )}
      >
        <table
          {...roles.table}
          className={classNames(
            'w-full text-sm tabular-nums @max-xl:block @xl:whitespace-nowrap',
            props.aligned && '@xl:table-fixed',
          )}
        >
          <caption className="sr-only">{caption}</caption>
          <thead {...roles.group} className="sticky top-0 z-10 bg-raised text-2xs text-ink-3 @max-xl:sr-only">
            <tr {...roles.row}>
              {selection && onSelect && (
                <th {...roles.head} scope="col" className="w-9 ps-3.5">
                  <input
                    type="checkbox"
                    aria-label={t('admin.table.selectAll')}
                    checked={ids.every((id) => selection.ids.has(id))}
                    onChange={() => onSelect(selectAll(selection, ids))}
                    className="size-4 accent-(--brand) align-middle"
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeadCell key={column.id} column={column} sort={sort} />
              ))}
              {props.actions && (
                <th {...roles.head} scope="col" className="w-10">
                  <span className="sr-only">{t('admin.table.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody
            {...roles.group}
            className="@max-xl:flex @max-xl:flex-col @max-xl:gap-2.5 @xl:divide-y @xl:divide-line"
          >
            {rows.slice(0, painted).map((row) => (
              <BodyRow
                key={rowId(row)}
                table={props}
                row={row}
                isTabStop={rowId(row) === tabStop}
                onFocus={() => setFocused(rowId(row))}
                onKeyDown={(event) => move(event, row)}
                onSelect={(range) => select(rowId(row), range)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function HeadCell<Row>({ column, sort }: { column: Column<Row>; sort: Sort | undefined }) {
  const { id, label, end, sortable, wideOnly, width } = column
  const order = sort?.column === id ? sort.order : undefined
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <th
      {...roles.head}
      scope="col"
      aria-sort={order === undefined ? undefined : order === 'asc' ? 'ascending' : 'descending'}
      className={classNames(
        'px-3.5 py-2 font-medium whitespace-normal',
        end ? 'text-end' : 'text-start',
        wideOnly && '@max-4xl:hidden',
        width,
      )}
    >
      {sortable && sort ? (
        <button
          type="button"
          onClick={() => sort.onSort(id, order === 'asc' ? 'desc' : 'asc')}
          className="target inline-flex items-center gap-1 rounded-sm text-start hover:text-ink"
        >
          {label}
          <Arrow aria-hidden="true" className={classNames('size-3', order === undefined && 'invisible')} />
        </button>
      ) : (
        label
      )}
    </th>
  )
}

interface RowProps<Row> {
  readonly table: Props<Row>
  readonly row: Row
  readonly isTabStop: boolean
  readonly onFocus: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onSelect: (range: boolean) => void
}

function BodyRow<Row>({ table, row, isTabStop, onFocus, onKeyDown, onSelect }: RowProps<Row>) {
  const { t, locale } = useText()
  const isReadOnly = useReadOnly()
  const written = (content: ReactNode) => (typeof content === 'number' ? numberFormat(locale).format(content) : content)
  const { columns, rowName, rowId, actions, onOpen, selection, aligned } = table
  const name = rowName?.(row) ?? ''
  const isSelected = selection?.ids.has(rowId(row)) ?? false
  return (
    <tr
      {...roles.row}
      data-row
      tabIndex={isTabStop ? 0 : -1}
      aria-selected={selection ? isSelected : undefined}
      onFocus={(event) => event.target === event.currentTarget && onFocus()}
      onKeyDown={onKeyDown}
      className={classNames(
        'group relative -outline-offset-2 @max-xl:flex @max-xl:flex-col @max-xl:gap-1 @max-xl:rounded-card @max-xl:border @max-xl:border-line @max-xl:p-3.5',
        isSelected ? 'bg-brand-weak' : 'hover:bg-hover',
      )}
    >
      {selection && (
        <td {...roles.cell} className="ps-3.5 @max-xl:absolute @max-xl:end-14 @max-xl:top-4">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t('admin.table.select', { name })}
            checked={isSelected}
            onChange={() => undefined}
            onClick={(event) => onSelect(event.shiftKey)}
            className="target size-4 accent-(--brand) align-middle"
          />
        </td>
      )}
      {columns.map(({ id, label, cell, end, wideOnly }, index) =>
        index === 0 ? (
          <th
            key={id}
            {...roles.name}
            scope="row"
            className="max-w-52 truncate px-3.5 py-2.5 text-start font-medium @max-xl:max-w-none @max-xl:p-0 @max-xl:pe-24 @max-xl:text-base"
          >
            {onOpen ? (
              <button
                type="button"
                tabIndex={-1}
                onClick={() => onOpen(row)}
                className="block max-w-full truncate rounded-sm text-start font-medium underline-offset-2 hover:underline"
              >
                {cell(row)}
              </button>
            ) : (
              cell(row)
            )}
          </th>
        ) : (
          <td
            key={id}
            {...roles.cell}
            className={classNames(
              'px-3.5 py-2.5 @max-xl:flex @max-xl:justify-between @max-xl:gap-4 @max-xl:p-0',
              end && '@xl:text-end',
              wideOnly && '@xl:@max-4xl:hidden',
              aligned && '@xl:truncate',
            )}
          >
            <span aria-hidden="true" className="shrink-0 text-ink-3 @xl:hidden">
              {label}
            </span>
            <span className="min-w-0 @max-xl:text-end @max-xl:wrap-anywhere">{written(cell(row))}</span>
          </td>
        ),
      )}
      {actions && (
        <td
          {...roles.cell}
          className="pe-2 text-end @xl:sticky @xl:end-0 @xl:bg-page @xl:bg-linear-0 @xl:group-hover:from-hover @xl:group-hover:to-hover @xl:group-aria-selected:from-brand-weak @xl:group-aria-selected:to-brand-weak @max-xl:absolute @max-xl:end-2 @max-xl:top-3 @max-xl:p-0"
        >
          <OptionsMenu
            label={t('admin.table.options', { name })}
            size="small"
            className="ms-auto"
            disabled={isReadOnly}
          >
            {actions(row)}
          </OptionsMenu>
        </td>
      )}
    </tr>
  )
}
