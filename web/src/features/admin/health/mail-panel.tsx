import type { MailQueue } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { Panel } from '../frame/page.tsx'
import { Figures } from '../parts/figures.tsx'

/** Text of a mail server, which runs from left to right among words of any language. */
const isolated = (text: string): string => `\u2066${text}\u2069`

/** What became of the mails of the last 24 hours, and what the mail server said of these and of the one that waits longest. */
export function MailPanel({ mails: { reason, settled } }: { mails: MailQueue }) {
  const { t } = useText()
  const said = [
    ...(reason ? [t('health.mail.lastAttempt', { reason: isolated(reason) })] : []),
    ...(settled?.reason ? [t('health.mail.lastFailure', { reason: isolated(settled.reason) })] : []),
  ]
  return (
    <Panel title={t('health.mail.title')} lead={t('health.mail.lead')}>
      <Figures
        figures={[
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
