import { useText } from '../../shared/i18n/index.ts'
import { labelled } from '../../shared/labelled.ts'

const kinds = ['account', 'chats', 'memories', 'sessions', 'tries', 'credits', 'mails', 'guests'] as const

/** The stored data, with purpose and retention; in a narrow window each kind is a block. */
export function RetentionTable() {
  const { t, locale } = useText()
  return (
    <table className="block w-full text-start text-sm md:table md:table-fixed">
      <thead className="hidden md:table-header-group">
        <tr className="border-b border-line-strong text-ink-2">
          <th scope="col" className="w-[42%] py-2 pe-5 text-start font-medium">
            {t('privacy.kept.what')}
          </th>
          <th scope="col" className="py-2 pe-5 text-start font-medium">
            {t('privacy.kept.why')}
          </th>
          <th scope="col" className="py-2 text-start font-medium">
            {t('privacy.kept.until')}
          </th>
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {kinds.map((kind) => (
          <tr key={kind} className="block border-b border-line py-3 md:table-row md:py-0">
            <td className="block md:table-cell md:py-2.5 md:pe-5 md:align-top">{t(`privacy.kept.${kind}`)}</td>
            <td className="mt-1.5 block text-ink-2 md:mt-0 md:table-cell md:py-2.5 md:pe-5 md:align-top">
              <span className="text-ink-3 md:hidden">{labelled(t('privacy.kept.why'), locale)}</span>
              {t(`privacy.kept.${kind}.why`)}
            </td>
            <td className="block text-ink-2 md:table-cell md:py-2.5 md:align-top">
              <span className="text-ink-3 md:hidden">{labelled(t('privacy.kept.until'), locale)}</span>
              {t(`privacy.kept.${kind}.until`)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
