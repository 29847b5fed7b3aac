import type { ListedShare } from '@parley/contracts'
import { formatDay } from '../../../shared/format.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, TextField } from '../../../shared/ui/index.ts'
import { addressOf, copyLink, type LinkReport } from './copy-link.ts'

/** The existing link of a chat, to be copied. */
export function LinkBox({ link, report }: { link: ListedShare; report: (said: LinkReport) => void }) {
  const { t, locale } = useText()
  const facts = [
    t('sharing.links.shared', { date: formatDay(link.sharedAt, locale) }),
    t('sharing.views', { count: link.views }),
    link.expiresAt !== null && t('sharing.links.expires', { date: formatDay(link.expiresAt, locale) }),
    link.hasPassword && t('sharing.links.protected'),
  ]
  return (
    <TextField
      label={t('sharing.linkLabel')}
      readOnly
      value={addressOf(link.url)}
      onFocus={(event) => event.target.select()}
      hint={facts.filter(Boolean).join(' · ')}
      end={
        <Button size="small" look="quiet" className="me-1" onClick={() => void copyLink(link.url).then(report)}>
          {t('sharing.copy')}
        </Button>
      }
    />
  )
}
