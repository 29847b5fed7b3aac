import type { Quote } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { ListPlus } from 'lucide-react'
import { Suspense, useDeferredValue, useState } from 'react'
import { isApiError, messageOf } from '../../../../shared/api/index.ts'
import { formatMoment, formatMoney } from '../../../../shared/format.ts'
import { useText } from '../../../../shared/i18n/index.ts'
import { numberFormat } from '../../../../shared/intl.ts'
import { classNames, IconButton } from '../../../../shared/ui/index.ts'
import { quotesQuery, watchlistQuery } from './finance-queries.ts'
import { tickersFor, tickersIn } from './tickers.ts'
import { WatchlistDialog } from './watchlist-dialog.tsx'

const none: readonly string[] = []

/** Prices of the tickers in the text and of the followed ones, refreshed while visible. */
export function QuoteStrip({ text }: { text: string }) {
  const { t } = useText()
  const [editing, setEditing] = useState(false)
  const written = useDeferredValue(text)
  const { data: followed = none, error: unlisted } = useQuery(watchlistQuery)
  const asked = tickersFor(written, followed)
  const all = useQuery(quotesQuery(asked))
  const quotes = asked.length === 0 ? [] : (all.data ?? [])
  const marked = tickersIn(written, [])
  const missing = marked.filter((symbol) => !quotes.some((quote) => quote.symbol === symbol))
  const unknown = all.isSuccess && !all.isPlaceholderData ? missing : none
  const invalid = unknown.length > 0 || (isApiError(all.error) && all.error.code === 'invalid_ticker')
  const error = all.error ?? unlisted
  return (
    <section
      aria-label={t('composer.finance.label')}
      className="flex items-center gap-1 border-b border-line py-1.5 ps-4 pe-2 text-sm"
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
        tabIndex={0}
        // Fades at the end, so that a cut-off number does not look complete.
        className="flex min-w-0 flex-1 items-center gap-5 overflow-x-auto py-1 pe-8 whitespace-nowrap ltr:mask-r-from-[calc(100%-2rem)] rtl:mask-l-from-[calc(100%-2rem)]"
      >
        {invalid && (
          <span role="alert" className="flex gap-1.5 text-danger">
            {unknown.length > 0 && <span className="font-semibold">{unknown.join(', ')}</span>}
            <span>{t('composer.finance.invalid')}</span>
          </span>
        )}
        {quotes.map((quote) => (
          <Price key={quote.symbol} quote={quote} />
        ))}
        {quotes.length > 0 && <span className="text-2xs text-ink-3">{t('composer.finance.source')}</span>}
        {!invalid && error && (
          <span className="whitespace-normal text-ink-2">{messageOf(error, t('composer.finance.failed'))}</span>
        )}
        {asked.length === 0 && !error && (
          <span className="whitespace-normal text-ink-3">{t('composer.finance.empty')}</span>
        )}
      </div>
      <IconButton label={t('composer.finance.edit')} size="small" onClick={() => setEditing(true)}>
        <ListPlus className="size-4.5" />
      </IconButton>
      {editing && (
        <Suspense>
          <WatchlistDialog onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </section>
  )
}

function Price({ quote }: { quote: Quote }) {
  const { t, locale } = useText()
  const { symbol, name, price, change, changePercent, currency, time, delayed } = quote
  const amount = formatMoney(price, currency, locale, 4)
  const share = numberFormat(locale, { style: 'percent', maximumFractionDigits: 2, signDisplay: 'exceptZero' })
  const at = formatMoment(time, locale)
  return (
    <span title={`${name} · ${at}`} className="inline-flex items-baseline gap-x-1.5 tabular-nums max-sm:flex-col">
      <span className="inline-flex gap-1.5">
        <bdi className="font-semibold">{symbol}</bdi>
        <bdi>{amount}</bdi>
        <bdi className={classNames(change < 0 ? 'text-danger' : 'text-ok')}>{share.format(changePercent / 100)}</bdi>
      </span>
      <span className="text-2xs text-ink-3">{delayed ? t('composer.finance.delayed', { time: at }) : at}</span>
    </span>
  )
}
