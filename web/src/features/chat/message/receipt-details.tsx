import { useId } from 'react'
import { formatMoment, formatSeconds } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import type { ThreadMessage } from '../thread/thread-message.ts'
import { receiptOf } from './receipt.ts'

interface Props {
  readonly message: ThreadMessage
  readonly guest: boolean
  readonly modelName: string | null
}

/** What an answer cost in one line, and all that is known of it while the pointer or the focus is there. */
export function Receipt({ message, guest, modelName }: Props) {
  const { t, locale } = useText()
  const id = useId()
  const rows = rowsOf(t, locale, message, guest, modelName)
  if (rows.length === 0) return null
  const line = receiptOf(t, locale, message, guest)
  return (
    <div className="group/receipt relative ms-auto">
      <button
        type="button"
        aria-label={`${t('thread.details.label')}${line && `: ${line}`}`}
        aria-describedby={id}
        className="target rounded-row px-1.5 py-1 text-2xs text-ink-3 tabular-nums opacity-0 transition-opacity group-focus-within/answer:opacity-100 group-hover/answer:opacity-100 pointer-coarse:opacity-100"
      >
        {line || t('thread.details.label')}
      </button>
      <div
        id={id}
        role="tooltip"
        className="invisible absolute end-0 bottom-full z-20 mb-1 w-max max-w-72 rounded-card border border-line-strong bg-overlay px-3 py-2 text-2xs opacity-0 shadow-float transition-opacity group-focus-within/receipt:visible group-focus-within/receipt:opacity-100 group-hover/receipt:visible group-hover/receipt:opacity-100"
      >
        <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-1">
          {rows.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd className="text-end tabular-nums text-ink-2">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

type Row = readonly [name: string, value: string]

function rowsOf(t: Translate, locale: string, message: ThreadMessage, guest: boolean, modelName: string | null): Row[] {
  const { usage, credits, durationMs, model, createdAt } = message
  const number = new Intl.NumberFormat(locale)
  const tokens = (count: number) =>
    usage?.estimated ? t('thread.details.about', { count: number.format(count) }) : number.format(count)
  const counted = usage !== null && usage.inputTokens + usage.outputTokens > 0 && usage
  const rows: (Row | false)[] = [
    model !== null && [t('thread.details.model'), modelName ?? model],
    counted && [t('thread.details.input'), tokens(counted.inputTokens)],
    counted && [t('thread.details.output'), tokens(counted.outputTokens)],
    durationMs !== null && [
      t('thread.details.duration'),
      t('chat.message.receipt.seconds', { seconds: formatSeconds(durationMs, locale) }),
    ],
    credits !== null && !guest && [t('thread.details.credits'), number.format(credits)],
    createdAt > 0 && [t('thread.details.time'), formatMoment(new Date(createdAt).toISOString(), locale)],
  ]
  return rows.filter((row) => row !== false)
}
