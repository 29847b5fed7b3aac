import { linePath } from './line-path.ts'

const width = 96
const height = 24

/** Values over time as a small line, described by `label`. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} className="h-6 w-24 shrink-0 text-brand">
      <title>{label}</title>
      <path
        d={linePath(values, width, height)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
