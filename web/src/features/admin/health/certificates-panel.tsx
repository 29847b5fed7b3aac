import type { Certificate } from '@parley/contracts'
import { formatDay } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { isEnding } from '../data/certificates.ts'
import { Panel } from '../frame/page.tsx'
import { Tag } from '../parts/fields.tsx'
import { RowBox } from '../parts/row-box.tsx'

/** The certificates of the servers that are reached over TLS, with those to renew marked. */
export function CertificatesPanel({ certificates }: { certificates: readonly Certificate[] }) {
  const { t, locale } = useText()
  const now = Date.now()
  return (
    <Panel title={t('health.certificates.title')} lead={t('health.certificates.lead')}>
      <RowBox empty={t('health.certificates.none')}>
        {certificates.map((certificate) => (
          <li key={certificate.server} className="flex flex-wrap items-center gap-3 px-4 py-3">
            <span className="me-auto font-medium wrap-anywhere">
              <bdi dir="ltr">{certificate.server}</bdi>
            </span>
            <span className="text-sm text-ink-2">
              {t('health.certificates.until', { date: formatDay(certificate.endsAt, locale) })}
            </span>
            {Date.parse(certificate.endsAt) <= now ? (
              <Tag tone="danger">{t('health.certificates.over')}</Tag>
            ) : (
              isEnding(certificate, now) && <Tag tone="warn">{t('health.certificates.ending')}</Tag>
            )}
          </li>
        ))}
      </RowBox>
    </Panel>
  )
}
