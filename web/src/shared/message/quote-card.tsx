import type { Quote } from '@parley/contracts'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { formatMoment, formatMoney } from '../format.ts'
import { useText } from '../i18n/index.ts'
import { numberFormat } from '../intl.ts'
import { Chip, classNames } from '../ui/index.ts'

/** A ticker's price as looked up by an answer. */
export function QuoteCard({ quote }: { quote: Quote }) {
  const { t, locale } = useText()
  const falls = quote.change < 0
  const Icon = falls ? TrendingDown : TrendingUp
  return (
    <div className="min-w-44 rounded-card border border-line px-3.5 py-2.5">
      <p className="flex items-center gap-2 text-sm">
        <b className="font-semibold">{quote.symbol}</b>
        <span dir="auto" className="max-w-40 truncate text-ink-3">
          {quote.name}
        </span>
        {quote.delayed && <Chip className="ms-auto h-5 px-2 text-2xs">{t('thread.quote.delayed')}</Chip>}
      </p>
      <p className="mt-1 flex items-baseline gap-2 tabular-nums">
        <span className="text-lg font-semibold">{formatMoney(quote.price, quote.currency, locale, 4)}</span>
        <span className={classNames('flex items-center gap-1 text-sm', falls ? 'text-danger' : 'text-ok')}>
          <Icon className="size-3.5" />
          {changeText(quote, locale)}
        </span>
      </p>
      <p className="mt-0.5 text-2xs text-ink-3">{whenText(quote.time, locale)}</p>
    </div>
  )
}

function changeText({ change, changePercent }: Quote, locale: string): string {
  const signed = { signDisplay: 'exceptZero', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
  const percent = numberFormat(locale, { ...signed, style: 'percent' }).format(changePercent / 100)
  return `${numberFormat(locale, signed).format(change)} (${percent})`
}

const whenText = (time: string, locale: string): string =>
  Number.isNaN(Date.parse(time)) ? '' : formatMoment(time, locale)
