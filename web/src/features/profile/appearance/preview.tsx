import { TriangleAlert } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import type { DrawnTheme } from '../../../shared/theme/colors.ts'
import { Brand, Chip } from '../../../shared/ui/index.ts'

/** A preview of a chat in a theme with the current colours. */
export function Preview({ theme }: { theme: DrawnTheme }) {
  const { t } = useText()
  return (
    <figure data-theme={theme} className="rounded-card border border-line bg-page p-4 text-ink">
      <figcaption className="mb-3 flex items-center justify-between gap-3 text-2xs text-ink-3">
        {t(`account.theme.${theme}`)}
        <span className="text-sm text-ink">
          <Brand size={16} />
        </span>
      </figcaption>
      <p className="ms-auto w-fit max-w-[85%] rounded-[14px] rounded-ee-[4px] bg-bubble px-3.5 py-2 text-sm forced-colors:border">
        {t('profile.preview.question')}
      </p>
      <p className="mt-3 text-sm">
        {t('profile.preview.answer')} <span className="text-brand underline">{t('profile.preview.link')}</span>
      </p>
      <div className="mt-3.5 flex flex-wrap items-center gap-2">
        <span className="inline-flex h-8 items-center rounded-card bg-brand px-3 text-sm font-semibold text-on-brand">
          {t('profile.preview.button')}
        </span>
        <Chip tone="on">{t('profile.preview.mode')}</Chip>
        <Chip tone="warn">
          <TriangleAlert className="size-3.5" />
          {t('profile.preview.warning')}
        </Chip>
      </div>
    </figure>
  )
}
