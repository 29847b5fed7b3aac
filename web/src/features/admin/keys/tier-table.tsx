import { tierMultipliers } from '@parley/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { settingsQuery } from '../settings/settings-query.ts'

const tiers = [1, 2, 3, 4, 5] as const

/** The limits of each tier, from the base limit in the settings. */
export function TierTable() {
  const { t, locale } = useText()
  const { data } = useQuery(settingsQuery)
  const number = numberFormat(locale)
  const base = data?.rateLimits.apiV1
  return (
    <div className="overflow-x-auto rounded-xl border border-line">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{t('tiers.title')}</caption>
        <thead className="bg-raised text-2xs text-ink-3">
          <tr>
            <th scope="col" className="px-3.5 py-2 text-start font-medium">
              {t('tiers.column.tier')}
            </th>
            <th scope="col" className="px-3.5 py-2 text-end font-medium">
              {t('tiers.column.factor')}
            </th>
            <th scope="col" className="px-3.5 py-2 text-end font-medium">
              {t('tiers.column.limit')}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {tiers.map((tier) => (
            <tr key={tier}>
              <th scope="row" className="px-3.5 py-2 text-start font-medium">
                {t(`tiers.name.${tier}`)}
              </th>
              <td className="px-3.5 py-2 text-end">{tier === 5 ? '–' : `× ${tierMultipliers[tier]}`}</td>
              <td className="px-3.5 py-2 text-end">
                {tier === 5
                  ? t('tiers.perKey')
                  : base
                    ? t('tiers.limit', {
                        requests: number.format(base.maxRequests * tierMultipliers[tier]),
                        minutes: base.windowMinutes,
                      })
                    : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
