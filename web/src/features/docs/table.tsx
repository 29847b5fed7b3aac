import { Fragment, type ReactNode } from 'react'

interface Props {
  readonly caption: string
  readonly headings: readonly string[]
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
}

/** A small table that scrolls in its own box in narrow windows. */
export function Table({ caption, headings, rows }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page
    <div
      role="region"
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line"
    >
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-raised text-2xs text-ink-3">
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col" className="px-3.5 py-2 text-start font-medium">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={headings[index]} className="px-3.5 py-2 align-top">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A call or code in monospace; on a narrow screen it wraps between words, to leave room for the description. */
export function Code({ children }: { children: string }) {
  return (
    <code dir="ltr" className="font-mono text-[0.8125rem] sm:whitespace-nowrap">
      {children.split(/(?<=_)|(?=\/)/).map((word, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words stay where they are
        <Fragment key={place}>
          {word}
          <wbr />
        </Fragment>
      ))}
    </code>
  )
}
