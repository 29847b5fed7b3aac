import type { ListedShare } from '@parley/contracts'
import { formatDay } from '../../../shared/format.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { Button, TextField } from '../../../shared/ui/index.ts'
import { addressOf, copyLink, type LinkReport } from './copy-link.ts'

/** The existing link of a chat, to be copied. */
export function LinkBox({ link, report }: { link: ListedShare; report: (said: LinkReport) => void }) {
  const { t, locale } = useText()
  return (
    <TextField
      label={t('sharing.linkLabel')}
      readOnly
      value={addressOf(link.url)}
      onFocus={(event) => event.target.select()}
      hint={factsOf(link, t, locale)}
      end={
        <Button size="small" look="quiet" className="me-1" onClick={() => void copyLink(link.url).then(report)}>
          {t('sharing.copy')}
        </Button>
      }
    />
  )
}

/** When a link was made and ends, how often it was opened, and whether it has a password. */
export function factsOf(
  { sharedAt, views, expiresAt, hasPassword }: ListedShare,
  t: Translate,
  locale: string,
): string {
  const isOver = expiresAt !== null && new Date(expiresAt) <= new Date()
  const facts = [
    t('sharing.links.shared', { date: formatDay(sharedAt, locale) }),
    t('sharing.views', { count: views }),
    isOver && t('sharing.links.expired'),
    expiresAt !== null && !isOver && t('sharing.links.expires', { date: formatDay(expiresAt, locale) }),
    hasPassword && t('sharing.links.protected'),
  ]
  return facts.filter(Boolean).join(' · ')
}
