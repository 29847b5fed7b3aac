import { useQuery } from '@tanstack/react-query'
import { authConfigQuery, hierarchyQuery, toolsQuery } from '../../shared/api/index.ts'
import { inSequence, useText } from '../../shared/i18n/index.ts'

/** Third parties that receive parts of the users' text in this installation. */
export function OtherParties() {
  const { t, locale } = useText()
  const { data: hierarchy } = useQuery(hierarchyQuery)
  const { data: tools } = useQuery(toolsQuery)
  const { data: config } = useQuery(authConfigQuery)
  const names = hierarchy?.providers.map(({ name }) => name) ?? []
  const providers = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names)
  return (
    <ul className="flex list-disc flex-col gap-2 ps-5">
      <li>
        {inSequence(
          names.length > 0 ? t('privacy.others.models', { providers }) : t('privacy.others.modelsUnknown'),
          t('privacy.others.fallback'),
        )}
      </li>
      <li>{t('privacy.others.semantic')}</li>
      {/* Listed unless this installation is known not to use it. */}
      {tools?.webSearch !== false && <li>{t('privacy.others.search')}</li>}
      {tools?.finance !== false && <li>{t('privacy.others.finance')}</li>}
      {config?.oauth.enabled !== false && <li>{t('privacy.others.signOn')}</li>}
      <li>{t('privacy.others.mail')}</li>
      <li>{t('privacy.others.admins')}</li>
      <li>{t('privacy.others.law')}</li>
    </ul>
  )
}
