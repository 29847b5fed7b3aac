import { useText } from '../../shared/i18n/index.ts'
import { classNames } from '../../shared/ui/index.ts'
import { contents, type SectionName } from './contents.ts'

/** The table of contents, with the current section marked. */
export function ContentsList({ shown }: { shown: SectionName | null }) {
  const { t } = useText()
  return (
    <div className="flex flex-col gap-5">
      {contents.map(({ group, sections }) => (
        <div key={group}>
          <p className="px-2.5 pb-1 text-2xs font-medium text-ink-3">{t(`docs.group.${group}`)}</p>
          <ul>
            {sections.map((name) => (
              <li key={name}>
                <a
                  href={`#${name}`}
                  aria-current={name === shown ? 'location' : undefined}
                  className={classNames(
                    'target flex h-8 items-center rounded-row px-2.5 text-sm hover:bg-hover hover:text-ink',
                    name === shown ? 'bg-active font-medium text-ink' : 'text-ink-2',
                  )}
                >
                  {t(`docs.${name}`)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
