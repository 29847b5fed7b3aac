import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { labelled } from '../../../shared/labelled.ts'

const radius = 26
const around = 2 * Math.PI * radius

/** A share from 0 to 1 as a ring with its percentage inside. */
export function Ring({ label, share }: { label: string; share: number }) {
  const { locale } = useText()
  const percent = numberFormat(locale, { style: 'percent' }).format(share)
  return (
    <figure className="flex flex-col items-center gap-1.5">
      <svg role="img" aria-label={labelled(label, locale, percent)} viewBox="0 0 64 64" className="size-20">
        <circle cx="32" cy="32" r={radius} fill="none" strokeWidth="6" className="stroke-(--active)" />
        <circle
          cx="32"
          cy="32"
          r={radius}
          fill="none"
          strokeWidth="6"
          strokeLinecap="round"
          // A round cap would draw a dot for zero.
          strokeDasharray={share <= 0 ? `0 ${around * 2}` : `${around * Math.min(1, share)} ${around}`}
          strokeOpacity={share <= 0 ? 0 : 1}
          transform="rotate(-90 32 32)"
          className="stroke-(--brand)"
        />
        <text
          x="32"
          y="33"
          textAnchor="middle"
          dominantBaseline="middle"
          className="fill-(--ink) text-[0.875rem] font-semibold tabular-nums"
        >
          {percent}
        </text>
      </svg>
      <figcaption className="text-2xs text-ink-2">{label}</figcaption>
    </figure>
  )
}
