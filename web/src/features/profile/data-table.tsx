import { FileDown } from 'lucide-react'
import { toCsv } from '../../shared/csv.ts'
import { useText } from '../../shared/i18n/index.ts'
import { saveFile } from '../../shared/save-file.ts'
import { Box, Button, classNames } from '../../shared/ui/index.ts'

/** A column with its heading and values. Numbers are localised and right-aligned. */
export interface Column<Row> {
  readonly label: string
  readonly value: (row: Row) => string | number
  /** The displayed value, if it differs from the exported one. */
  readonly shown?: (row: Row) => string
}

interface Props<Row> {
  readonly caption: string
  /** It is inside a box: without a frame of its own, and with a visible caption. */
  readonly isInBox?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Shown instead of rows if there are none. */
  readonly empty: string
}

/** A table that scrolls in its own box. */
export function DataTable<Row>({ caption, isInBox = false, columns, rows, rowKey, empty }: Props<Row>) {
  const { locale } = useText()
  const number = new Intl.NumberFormat(locale)
  const isNumeric = (index: number) => index > 0
  if (rows.length === 0) {
    return isInBox ? (
      <p className="text-sm text-ink-2">{empty}</p>
    ) : (
      <Box>
        <p className="text-ink-2">{empty}</p>
      </Box>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page
    <div
      role="region"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      className={classNames('overflow-x-auto', isInBox ? 'rounded-row' : 'rounded-card border border-line')}
    >
      <table className="w-full text-sm whitespace-nowrap tabular-nums">
        <caption className={isInBox ? 'pb-2 text-start font-medium' : 'sr-only'}>{caption}</caption>
        <thead className="bg-raised text-2xs text-ink-3">
          <tr>
            {columns.map(({ label }, index) => (
              <th
                key={label}
                scope="col"
                className={classNames('px-3.5 py-2 font-medium', isNumeric(index) ? 'text-end' : 'text-start')}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ label, value, shown = value }, index) => {
                const cell = shown(row)
                return (
                  <td key={label} className={classNames('px-3.5 py-2', isNumeric(index) ? 'text-end' : 'text-start')}>
                    {typeof cell === 'number' ? number.format(cell) : cell}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Headings and rows as CSV; numbers without grouping, for programs. */
export const csvOf = <Row,>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  toCsv([columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ value }) => String(value(row))))])

interface CsvProps<Row> {
  /** The file's name without its extension. */
  readonly name: string
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
}

/** Downloads a table as CSV. */
export function CsvButton<Row>({ name, label, columns, rows }: CsvProps<Row>) {
  const { t } = useText()
  return (
    <Button
      size="small"
      aria-label={label}
      disabled={rows.length === 0}
      // The byte order mark makes spreadsheets read the file as UTF-8.
      onClick={() => saveFile(`${name}.csv`, `\uFEFF${csvOf(columns, rows)}`, 'text/csv')}
    >
      <FileDown className="size-4" />
      {t('usage.csv')}
    </Button>
  )
}
