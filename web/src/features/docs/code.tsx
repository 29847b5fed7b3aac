import { Fragment } from 'react'

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
