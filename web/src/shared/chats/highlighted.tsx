import { highlightParts } from './highlight-parts.ts'

export function Highlighted({ text, query }: { text: string; query: string }) {
  return highlightParts(text, query).map(({ at, text: piece, hit }) =>
    hit ? (
      <mark key={at} className="rounded-sm bg-brand-weak text-brand">
        {piece}
      </mark>
    ) : (
      <span key={at}>{piece}</span>
    ),
  )
}
