import { useText } from '../../../shared/i18n/index.ts'
import { LanguageSelect } from '../../../shared/language/index.ts'
import { Box } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'

/** The language of the interface and of mails. */
export function LanguageSection() {
  const { t } = useText()
  return (
    <Section title={t('shared.language')}>
      <Box className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3.5 md:px-5">
        <p className="min-w-48 flex-1 text-sm text-ink-2">{t('profile.language.hint')}</p>
        <div className="w-full md:w-60">
          <LanguageSelect look="field" />
        </div>
      </Box>
    </Section>
  )
}
