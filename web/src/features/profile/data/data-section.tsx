import { DataExport } from '../../../shared/data-export/index.ts'
import { T, useText } from '../../../shared/i18n/index.ts'
import { Box, TextLink } from '../../../shared/ui/index.ts'
import { Section } from '../page.tsx'

/** A copy of all the user's stored data. */
export function DataSection({ privacyPath }: { privacyPath: string }) {
  const { t } = useText()
  return (
    <Section
      title={t('profile.data.title')}
      lead={<T id="profile.data.lead" components={{ link: <TextLink to={privacyPath} /> }} />}
    >
      <Box>
        <DataExport />
      </Box>
    </Section>
  )
}
