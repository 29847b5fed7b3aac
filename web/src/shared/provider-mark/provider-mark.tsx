import type { ProviderId } from '@parley/contracts'
import type { ReactNode } from 'react'
import { markColor, markHues } from './mark-color.ts'

/** Our own glyphs on a 16 × 16 grid, because the providers' logos are trademarks. Each alludes to the name, all with one stroke. */
const figures: Readonly<Record<ProviderId, ReactNode>> = {
  // An open ring.
  openai: <path d="M11.5 4.5a5 5 0 1 0 0 7M8 8h.01" />,
  // A person.
  anthropic: (
    <>
      <circle cx="8" cy="5" r="2.25" />
      <path d="M3 13a5 5 0 0 1 10 0" />
    </>
  ),
  // A planet with its axis.
  xai: (
    <>
      <circle cx="8" cy="8" r="2.75" />
      <path d="M2.5 13.5l2.5-2.5M11 5l2.5-2.5" />
    </>
  ),
  // Many of a kind.
  google: (
    <>
      <circle cx="5" cy="5" r="1.75" />
      <circle cx="11" cy="5" r="1.75" />
      <circle cx="5" cy="11" r="1.75" />
      <circle cx="11" cy="11" r="1.75" />
    </>
  ),
  // Waves and the deep below.
  deepseek: <path d="M2.5 5.5q1.4-2 2.75 0t2.75 0 2.75 0 2.75 0M5 9.5h6M7 12.5h2" />,
  // One route that splits into three.
  openrouter: <path d="M2.5 8h11M5.5 8c2.5 0 2.5-4.5 5-4.5h3M5.5 8c2.5 0 2.5 4.5 5 4.5h3" />,
}

/** A glyph on a coloured ground that identifies a provider. Its name is shown next to it. */
export function ProviderMark({ provider }: { provider: ProviderId }) {
  const hue = markHues[provider]
  return (
    <svg
      aria-hidden="true"
      viewBox="-3 -3 22 22"
      fill="none"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ background: markColor('ground', hue), stroke: markColor('figure', hue) }}
      className="size-5 shrink-0 rounded-md forced-color-adjust-none"
    >
      {figures[provider]}
    </svg>
  )
}
