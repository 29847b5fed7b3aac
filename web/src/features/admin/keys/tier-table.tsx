import { tierMultipliers } from '@parley/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { useText } from '../../../shared/i18n/index.ts'
import { numberFormat } from '../../../shared/intl.ts'
import { Table } from '../../../shared/ui/index.ts'
import { settingsQuery } from '../settings/settings-query.ts'

const multiplied = [1, 2, 3, 4] as const

/** The limits of each tier, from the base limit in the settings. */
export function TierTable() {
  const { t, locale } = useText()
  const { data } = useQuery(settingsQuery)
  const number = numberFormat(locale)
  const base = data?.rateLimits.apiV1
  const limitOf = (multiplier: number): string => {
    if (!base) return '–'
    const requests = number.format(base.maxRequests * multiplier)
    return t('tiers.limit', { requests, minutes: base.windowMinutes })
  }
  const rows = multiplied.map((tier) => {
    const multiplier = tierMultipliers[tier]
    return { key: String(tier), cells: [t(`keys.tier.${tier}`), `× ${multiplier}`, limitOf(multiplier)] }
  })
  return (
    <Table
      caption={t('tiers.title')}
      headings={[t('tiers.column.tier'), t('tiers.column.factor'), t('tiers.column.limit')]}
      isNumeric
      rows={[...rows, { key: '5', cells: [t('keys.tier.5'), '–', t('tiers.perKey')] }]}
    />
  )
}
