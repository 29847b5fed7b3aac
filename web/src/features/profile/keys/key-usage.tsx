import type { ApiKey, KeyUsage } from '@parley/contracts'
import { formatCompact } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { fillDays } from '../../../shared/plot/days.ts'
import { Sparkline } from '../../../shared/plot/sparkline.tsx'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { classNames } from '../../../shared/ui/index.ts'
import { DataTable } from '../data-table.tsx'
import { useModelNames } from '../use-model-names.ts'

/** A key's usage: this month as text and plotted by day, and by model in an expandable table. */
export function KeyUsageSummary({ apiKey: { label, usage } }: { apiKey: ApiKey }) {
  const { t, locale } = useText()
  const { monthly, total, days } = usage
  const isUsed = total.requests > 0
  const dates = useLastDays(30)
  return (
    <div className="mt-3 text-sm">
      <div className="flex items-center justify-between gap-4">
        <p className="text-ink-2 tabular-nums">
          {isUsed ? t('keys.usage.month', { usage: usageText(t, locale, monthly) }) : t('keys.usage.none')}
        </p>
        {isUsed && days && (
          <Sparkline
            label={t('keys.usage.sparkline', { label })}
            values={fillDays(days, dates, ({ requests }) => requests)}
          />
        )}
      </div>
      {isUsed && (
        <details className="mt-1.5">
          <summary className="w-fit rounded-sm text-ink-2 hover:text-ink">{t('keys.usage.details')}</summary>
          <div className="mt-2.5 flex flex-col gap-4">
            <ModelTable caption={t('keys.usage.monthTable', { label })} usage={monthly} />
            <ModelTable caption={t('keys.usage.totalTable', { label })} usage={total} />
          </div>
        </details>
      )}
    </div>
  )
}

function usageText(t: Translate, locale: string, { requests, inputTokens, outputTokens, estimated }: KeyUsage): string {
  const values = { requests, tokens: formatCompact(inputTokens + outputTokens, locale) }
  return t(estimated ? 'keys.usage.estimated' : 'keys.usage.counts', values)
}

function ModelTable({ caption, usage }: { caption: string; usage: KeyUsage }) {
  const { t } = useText()
  const nameOf = useModelNames()
  return (
    <DataTable
      caption={caption}
      isInBox
      rows={usage.models}
      rowKey={({ model }) => model}
      empty={t('keys.usage.noneYet')}
      columns={[
        { label: t('usage.column.model'), value: ({ model }) => nameOf(model) },
        { label: t('usage.column.requests'), value: ({ requests }) => requests },
        { label: t('usage.column.input'), value: ({ inputTokens }) => inputTokens },
        { label: t('usage.column.output'), value: ({ outputTokens }) => outputTokens },
        { label: t('keys.usage.averageMs'), value: ({ averageResponseMs }) => averageResponseMs },
      ]}
    />
  )
}

/** A key's limits, and the rest of the current window. */
export function KeyLimits({ limits: { requests, windowMinutes, remaining } }: { limits: ApiKey['limits'] }) {
  const { t } = useText()
  if (remaining === null) {
    return (
      <p className="mt-3 text-sm text-ink-2 tabular-nums">{t('keys.limits.unknown', { requests, windowMinutes })}</p>
    )
  }
  const left = Math.max(0, Math.min(1, remaining / requests))
  return (
    <div className="mt-3 text-sm">
      <p className="text-ink-2 tabular-nums">{t('keys.limits.left', { remaining, requests, windowMinutes })}</p>
      <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-line-strong">
        <div
          className={classNames('h-full', left <= 0.1 ? 'bg-warn' : 'bg-brand')}
          style={{ width: `${Math.round(left * 100)}%` }}
        />
      </div>
    </div>
  )
}
