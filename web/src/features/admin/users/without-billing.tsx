import { CircleAlert } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { agoText } from '../data/ago.ts'

/** Notice that billing is unavailable, so that its values are missing or outdated. */
export function WithoutBilling({ since }: { since: number | undefined }) {
  const { t, locale } = useText()
  return (
    <p role="status" className="mb-4 flex items-center gap-3 rounded-card bg-warn-weak px-3.5 py-2.5 text-sm">
      <CircleAlert className="size-4 shrink-0 text-warn" />
      {t('people.withoutBilling')}
      {since !== undefined && ` · ${t('admin.stale', { ago: agoText(since, Date.now(), locale) })}`}
    </p>
  )
}
