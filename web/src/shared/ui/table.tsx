import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface Props {
  readonly caption: string
  /** It is inside a box: without a frame of its own, and with a visible caption. */
  readonly isInBox?: boolean
  readonly headings: readonly string[]
  /** Whether all columns but the first are right-aligned, as numbers are. */
  readonly isNumeric?: boolean
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

/** A small table whose first column names the row; it scrolls in its own box in narrow windows. */
export function Table({ caption, isInBox = false, headings, isNumeric = false, rows }: Props) {
  const aligned = (column: number) => (isNumeric && column > 0 ? 'text-end' : 'text-start')
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields; a region would be a landmark, beside that of its section
    <div
      role="group"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      className={classNames('overflow-x-auto', isInBox ? 'rounded-row' : 'rounded-card border border-line')}
    >
      <table className={classNames('w-full text-sm tabular-nums', isNumeric && 'whitespace-nowrap')}>
        <caption className={isInBox ? 'pb-2 text-start font-medium' : 'sr-only'}>{caption}</caption>
        <thead className="bg-raised text-2xs text-ink-3">
          <tr>
            {headings.map((heading, column) => (
              <th key={heading} scope="col" className={classNames('px-3.5 py-2 font-medium', aligned(column))}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, column) => {
                const Cell = column === 0 ? 'th' : 'td'
                return (
                  <Cell
                    key={headings[column]}
                    scope={column === 0 ? 'row' : undefined}
                    className={classNames('px-3.5 py-2 align-top font-normal', aligned(column))}
                  >
                    {cell}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
