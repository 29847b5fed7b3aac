import type { Receipt as ChargeReceipt } from '@parley/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { receiptQuery } from '../../../shared/api/index.ts'
import { formatMoment, formatSeconds } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { classNames } from '../../../shared/ui/index.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'
import { generationsOf, isFreeEmptyAnswer, receiptOf, sumReceipts } from './receipt.ts'

interface Props {
  readonly message: ThreadMessage
  readonly guest: boolean
  readonly modelName: string | null
}

/**
 * An answer's cost in one line, with its receipt on hover or focus, when it is loaded. It is always visible that an answer
 * without content was free.
 */
export function Receipt({ message, guest, modelName }: Props) {
  const { t, locale } = useText()
  const id = useId()
  const [place, setPlace] = useState<'above' | 'below' | null>(null)
  const client = useQueryClient()
  const ids = generationsOf(message)
  // A single observer for all receipts: `useQueries` would add code to every page.
  const { data, isError, refetch } = useQuery({
    queryKey: ['receipts', ...ids],
    queryFn: async () =>
      sumReceipts(await Promise.all(ids.map((each) => client.fetchQuery(receiptQuery(each))))) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: place !== null && !guest && message.id !== null,
  })
  const receipt = data ?? undefined
  const look = (line: Element) => {
    setPlace(placeAt(line))
    // The first request may have preceded the writing of the receipt.
    if (isError) void refetch()
  }
  const rows = rowsOf(t, locale, message, guest, modelName, receipt)
  if (rows.length === 0) return null
  const line = receiptOf(t, locale, message, guest)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only prepares what its button describes
    <div
      data-receipt
      className="group/receipt relative ms-auto"
      onPointerEnter={(event) => look(event.currentTarget)}
      onFocus={(event) => look(event.currentTarget)}
    >
      <button
        type="button"
        aria-label={`${t('thread.details.label')}${line && `: ${line}`}`}
        aria-describedby={id}
        className={classNames(
          'target rounded-row px-1.5 py-1 text-2xs text-ink-3 tabular-nums transition-opacity group-focus-within/answer:opacity-100 group-hover/answer:opacity-100 pointer-coarse:opacity-100',
          (guest || !isFreeEmptyAnswer(message)) && 'opacity-0',
        )}
      >
        {line || t('thread.details.label')}
      </button>
      <div
        id={id}
        role="tooltip"
        className={classNames(
          'invisible absolute end-0 z-20 w-max max-w-72 rounded-card border border-line-strong bg-overlay px-3 py-2 text-2xs opacity-0 shadow-float transition-opacity group-focus-within/receipt:visible group-focus-within/receipt:opacity-100 group-hover/receipt:visible group-hover/receipt:opacity-100',
          place === 'below' ? 'top-full mt-1' : 'bottom-full mb-1',
        )}
      >
        <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-1">
          {rows.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd className="text-end tabular-nums text-ink-2">{value}</dd>
            </div>
          ))}
        </dl>
        {receipt && <p className="mt-1.5 border-t border-line pt-1.5 text-ink-2">{receipt.reason}</p>}
      </div>
    </div>
  )
}

/** Height of a receipt plus the header, in pixels. */
const roomAbove = 320

const placeAt = (line: Element): 'above' | 'below' => (line.getBoundingClientRect().top < roomAbove ? 'below' : 'above')

type Row = readonly [name: string, value: string]

function rowsOf(
  t: Translate,
  locale: string,
  message: ThreadMessage,
  guest: boolean,
  modelName: string | null,
  receipt: ChargeReceipt | undefined,
): Row[] {
  const { usage, credits, durationMs, model, createdAt, generations } = message
  const number = numberFormat(locale)
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
    receipt !== undefined && [t('thread.details.held'), number.format(receipt.held)],
    ...(guest ? [] : generations).map(({ credits: count }, index): Row => {
      return [t('thread.details.part', { number: number.format(index + 1) }), t('thread.details.charged', { count })]
    }),
    credits !== null && !guest && [t('thread.details.credits'), t('thread.details.charged', { count: credits })],
    receipt !== undefined && [t('thread.details.released'), number.format(receipt.released)],
    receipt !== undefined && [t('thread.details.balance'), number.format(receipt.balanceAfter)],
    createdAt > 0 && [t('thread.details.time'), formatMoment(new Date(createdAt).toISOString(), locale)],
  ]
  return rows.filter((row) => row !== false)
}
