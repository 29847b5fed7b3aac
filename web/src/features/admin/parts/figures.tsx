import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { classNames, Skeleton } from '../../../shared/ui/index.ts'

/** A number with its label, and an optional note. */
export interface Figure {
  readonly label: string
  readonly value: number | string
  readonly note?: string
}

/** Characters of a value that fit in half the width of a phone. */
const fitting = 9

interface Props {
  readonly figures: readonly Figure[]
  /** The numbers are still loading: the labels are shown, and the room of values and notes is kept. */
  readonly isPending?: boolean
}

/** Numbers side by side in a box, two in a row on phones and tablets. */
export function Figures({ figures, isPending = false }: Props) {
  const { locale } = useText()
  const number = numberFormat(locale)
  const textOf = (value: number | string): string => (typeof value === 'number' ? number.format(value) : value)
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-xl border border-line tabular-nums lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none">
      {figures.map(({ label, value, note }) => (
        // The dividers are right and lower borders; the box cuts off the outermost ones.
        <div key={label} className="-me-px -mb-px min-w-0 border-e border-b border-line px-4 py-3.5 md:px-4.5">
          <dt className="truncate text-sm text-ink-2">{label}</dt>
          <dd
            className={classNames(
              'truncate text-2xl leading-tight font-semibold tracking-tight',
              textOf(value).length > fitting && 'max-md:text-lg',
            )}
          >
            {isPending ? <Skeleton widths={['45%']} lineClass="my-1.5 h-4.5" /> : textOf(value)}
          </dd>
          {note && (
            <dd className={classNames('text-2xs text-ink-3 wrap-break-word', isPending && 'invisible')}>{note}</dd>
          )}
        </div>
      ))}
    </dl>
  )
}
