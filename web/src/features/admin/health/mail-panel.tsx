import type { MailQueue } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { agoText } from '../data/ago.ts'
import { Panel } from '../frame/page.tsx'
import { Figures } from '../parts/figures.tsx'

/** The mails that wait, and what became of those of the last 24 hours, with what the mail server said. */
export function MailPanel({ mails: { waiting, oldestAt, reason, settled } }: { mails: MailQueue }) {
  const { t, locale } = useText()
  const said = [
    ...(reason ? [t('health.mail.lastAttempt', { reason })] : []),
    ...(settled?.reason ? [t('health.mail.lastFailure', { reason: settled.reason })] : []),
  ]
  return (
    <Panel title={t('health.mail.title')} lead={t('health.mail.lead')}>
      <Figures
        figures={[
          {
            label: t('health.figure.mails'),
            value: waiting,
            ...(oldestAt && { note: agoText(Date.parse(oldestAt), Date.now(), locale) }),
          },
          { label: t('health.mail.sent'), value: settled?.sent ?? '–' },
          { label: t('health.mail.failed'), value: settled?.failed ?? '–' },
        ]}
      />
      {said.map((line) => (
        <p key={line} className="mt-2 text-sm wrap-anywhere text-ink-2">
          {line}
        </p>
      ))}
    </Panel>
  )
}
