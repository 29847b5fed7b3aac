import { FileDown } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { copyText } from '../copy-text.ts'
import { toCsv } from '../csv.ts'
import { useText } from '../i18n/index.ts'
import { saveFile } from '../save-file.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** A table that scrolls in its own box and can be copied as CSV. */
export function TableBox({ children }: { children: ReactNode }) {
  const { t } = useText()
  const box = useRef<HTMLTableElement>(null)
  const read = () => (box.current ? toCsv(rowsOf(box.current)) : '')
  return (
    <div className="table-frame" dir="auto">
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <div className="table-box" role="region" aria-label={t('chat.table.label')} tabIndex={0}>
        <table ref={box}>{children}</table>
      </div>
      <div className="table-tools">
        <CopyButton copy={() => copyText(read())} label={t('chat.table.copy')} size="small" />
        <IconButton
          label={t('chat.table.download')}
          size="small"
          onClick={() => saveFile('table.csv', `\uFEFF${read()}`, 'text/csv')}
        >
          <FileDown className="size-4" />
        </IconButton>
      </div>
    </div>
  )
}

const rowsOf = (table: HTMLTableElement): string[][] =>
  [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent ?? ''))
