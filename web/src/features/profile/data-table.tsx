import { FileDown } from 'lucide-react'
import { toCsv } from '../../shared/csv.ts'
import { useText } from '../../shared/i18n/index.ts'
import { numberFormat } from '../../shared/intl.ts'
import { saveFile } from '../../shared/save-file.ts'
import { Box, Button, Table } from '../../shared/ui/index.ts'

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

/** A table of localised values. */
export function DataTable<Row>({ caption, isInBox = false, columns, rows, rowKey, empty }: Props<Row>) {
  const { locale } = useText()
  const number = numberFormat(locale)
  if (rows.length === 0) {
    return isInBox ? (
      <p className="text-sm text-ink-2">{empty}</p>
    ) : (
      <Box>
        <p className="text-ink-2">{empty}</p>
      </Box>
    )
  }
  const cellOf = (cell: string | number) => (typeof cell === 'number' ? number.format(cell) : cell)
  return (
    <Table
      caption={caption}
      isInBox={isInBox}
      headings={columns.map(({ label }) => label)}
      isNumeric
      rows={rows.map((row) => ({
        key: rowKey(row),
        cells: columns.map(({ value, shown = value }) => cellOf(shown(row))),
      }))}
    />
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
