import { tierMultipliers } from '@parley/contracts/constants'
import { useQuery } from '@tanstack/react-query'
import { keysQuery, messageOf } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { numberFormat } from '../../shared/intl.ts'
import { Button, Table } from '../../shared/ui/index.ts'
import { useReader } from './reader.ts'

const tiers = [1, 2, 3, 4, 5] as const
/** Milliseconds between refetches of the limits, which programs use up. */
const refreshMs = 15_000

/** The tiers of keys, and the rest of the reader's own limits. */
export function Limits() {
  const { t } = useText()
  const { signedIn, signIn } = useReader()
  return (
    <>
      <Table
        caption={t('docs.limits.table')}
        headings={[t('docs.limits.tier'), t('docs.limits.allowed')]}
        rows={tiers.map((tier) => {
          const allowed = tier === 5 ? t('docs.limits.own') : t('docs.limits.times', { times: tierMultipliers[tier] })
          return { key: String(tier), cells: [t(`keys.tier.${tier}`), allowed] }
        })}
      />
      <h3 className="mt-2 font-semibold">{t('docs.limits.yours')}</h3>
      {signedIn ? (
        <OwnLimits />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-ink-2">{t('docs.limits.signIn')}</p>
          <Button size="small" onClick={() => signIn('limits')}>
            {t('shared.signIn')}
          </Button>
        </div>
      )}
    </>
  )
}

function OwnLimits() {
  const { t, locale } = useText()
  const { data: keys, error } = useQuery({ ...keysQuery, refetchInterval: refreshMs })
  const number = numberFormat(locale)
  if (keys === undefined) {
    return <p className="text-ink-2">{error ? messageOf(error, t('docs.limits.failed')) : t('shared.loading.page')}</p>
  }
  if (keys.length === 0) return <p className="text-ink-2">{t('docs.limits.none')}</p>
  return (
    <Table
      caption={t('docs.limits.yours')}
      headings={[t('docs.limits.key'), t('docs.limits.tier'), t('docs.limits.allowed'), t('docs.limits.left')]}
      rows={keys.map(({ id, label, tier, limits: { requests, windowMinutes, remaining } }) => ({
        key: id,
        cells: [
          <bdi key="label">{label}</bdi>,
          t(`keys.tier.${tier}`),
          t('docs.limits.perWindow', { requests, minutes: windowMinutes }),
          remaining === null ? t('docs.limits.unknown') : number.format(remaining),
        ],
      }))}
    />
  )
}
