import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { request } from '../../../shared/api/index.ts'
import { formatDate, formatDay } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { useLastDays } from '../../../shared/plot/use-last-days.ts'
import { Skeleton, TextLink } from '../../../shared/ui/index.ts'
import { adminQuery } from '../data/admin-query.ts'
import { agoText } from '../data/ago.ts'
import { calls } from '../data/calls.ts'
import { healthQuery } from '../data/health-query.ts'
import { adminPath } from '../frame/admin-path.ts'
import { Panel } from '../frame/page.tsx'
import { providerNames } from '../models/model-values.ts'
import { Loaded } from '../parts/loaded.tsx'
import { healthWarnings, moneyWarnings, type Warning } from './warnings.ts'

/** Days of reconciliation alarms that are shown. The check runs daily; older alarms have been seen. */
const bookDays = 7
const booksQuery = (from: string | undefined) =>
  adminQuery(
    ['money', 'alarms', from],
    async (signal) => (await request(calls.money, { query: { from }, signal })).alarms,
  )

/** The current problems, each with a link to where it can be solved. */
export function Attention() {
  const { t, locale } = useText()
  const [from] = useLastDays(bookDays)
  const health = useQuery(healthQuery)
  // If billing does not respond, its health already says so.
  const { data: alarms = [] } = useQuery(booksQuery(from))
  return (
    <Panel title={t('overview.attention')}>
      <Loaded
        query={health}
        failed={t('overview.healthFailed')}
        placeholder={<Skeleton widths={['100%']} lineClass="h-12.5 rounded-card" />}
      >
        {(all) => {
          const warnings = [...healthWarnings(all, Date.now()), ...moneyWarnings(alarms)]
          if (warnings.length === 0) {
            return (
              <p className="flex items-center gap-2 rounded-card border border-line px-4 py-3 text-ink-2">
                <CircleCheck className="size-4.5 text-ok" />
                {t('overview.allWell')}
              </p>
            )
          }
          return (
            <ul className="divide-y divide-line rounded-card border border-line">
              {warnings.map((warning) => {
                const { text, detail, path } = presentWarning(warning, t, locale)
                return (
                  <li key={text} className="flex flex-wrap items-center gap-2 px-4 py-3">
                    <TriangleAlert className="size-4.5 shrink-0 text-warn" />
                    <span className="me-auto min-w-0 flex-1 wrap-anywhere">
                      {text}
                      {detail && (
                        <bdi dir="ltr" className="block w-fit text-sm text-ink-2">
                          {detail}
                        </bdi>
                      )}
                    </span>
                    <TextLink to={path}>{t('overview.look')}</TextLink>
                  </li>
                )
              })}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}

/** The text of a warning, what the mail server said, and the address where it can be solved. */
function presentWarning(
  warning: Warning,
  t: Translate,
  locale: string,
): { text: string; detail?: string | null; path: string } {
  switch (warning.kind) {
    case 'service': {
      const failed = warning.failed.join(', ') || '–'
      return { text: t('overview.notReady', { service: warning.service, failed }), path: adminPath('health') }
    }
    case 'breaker': {
      const values = { provider: providerNames[warning.provider], model: warning.model }
      return { text: t('overview.breaker', values), path: adminPath('models', warning.model) }
    }
    case 'dead-letters': {
      const { group, count } = warning
      return { text: t('overview.deadLetters', { group, count }), path: adminPath('health') }
    }
    case 'mail': {
      const since = agoText(Date.parse(warning.oldestAt), Date.now(), locale)
      return {
        text: t('overview.mail', { count: warning.waiting, since }),
        detail: warning.reason,
        path: adminPath('health'),
      }
    }
    case 'mail-refused':
      return {
        text: t('overview.mailRefused', { count: warning.failed }),
        detail: warning.reason,
        path: adminPath('health'),
      }
    case 'certificate': {
      const { server } = warning
      const isOver = Date.parse(warning.endsAt) <= Date.now()
      const date = formatDay(warning.endsAt, locale)
      return {
        text: t(isOver ? 'overview.certificateExpired' : 'overview.certificate', { server, date }),
        path: adminPath('health'),
      }
    }
    case 'drift':
      return { text: t('overview.drift', { day: formatDate(warning.date, locale) }), path: adminPath('money') }
    default:
      return warning satisfies never
  }
}
