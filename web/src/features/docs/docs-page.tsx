import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronDown } from 'lucide-react'
import { use, useMemo, useState } from 'react'
import { apiOrigin, hierarchyQuery } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LanguageSelect } from '../../shared/language/index.ts'
import '../../shared/markdown/markdown.css'
import { readLocal, writeLocal } from '../../shared/session/storage.ts'
import { Brand, Link } from '../../shared/ui/index.ts'
import { ContentsList } from './contents-list.tsx'
import { type ExampleLanguage, exampleLanguages, placeholderKey } from './examples/index.ts'
import { type DocsPaths, type Reader, ReaderContext } from './reader.ts'
import { Sections } from './sections.tsx'
import { exampleModels, usableModels } from './usable-models.ts'
import { useShownSection } from './use-shown-section.ts'

const languageKey = 'docs-language'

interface Props {
  readonly paths: DocsPaths
  readonly signedIn: boolean
  /** Goes to sign-in and returns to a section of the page. */
  readonly onSignIn: (section: string) => void
}

/** `/docs/api`: the public API documentation, with examples that run unchanged. */
export function DocsPage({ paths, signedIn, onSignIn }: Props) {
  const { t } = useText()
  const origin = use(apiOrigin()) || location.origin
  const { data: hierarchy } = useQuery(hierarchyQuery)
  const [language, setLanguage] = useState(readLanguage)
  const [madeKey, takeKey] = useState<string | null>(null)
  const shown = useShownSection()
  const models = useMemo(() => usableModels(hierarchy), [hierarchy])
  const { values, lacking } = useMemo(() => exampleModels(hierarchy), [hierarchy])
  const reader: Reader = {
    values: { origin, apiKey: madeKey ?? placeholderKey, ...values },
    lacking,
    language,
    chooseLanguage: (chosen) => {
      setLanguage(chosen)
      writeLocal(languageKey, chosen)
    },
    signedIn,
    madeKey,
    takeKey,
    paths,
    signIn: onSignIn,
  }
  return (
    <ReaderContext value={reader}>
      <div className="min-h-dvh">
        <title>{`${t('account.docs')} · Parley`}</title>
        <header className="sticky top-0 z-10 flex h-13 items-center gap-3 border-b border-line bg-page px-4 md:px-6">
          <Link to={paths.home} className="target rounded-row">
            <Brand />
          </Link>
          <span className="flex-1" />
          <LanguageSelect />
          <Link
            to={paths.home}
            className="target flex h-9 items-center gap-2 rounded-card px-2.5 text-sm text-ink-2 hover:bg-hover hover:text-ink"
          >
            <ArrowLeft className="size-4 rtl:-scale-x-100" />
            {t('profile.back')}
          </Link>
        </header>
        <div className="mx-auto grid max-w-[68rem] gap-10 px-4 md:px-6 lg:grid-cols-[13rem_minmax(0,46rem)]">
          <nav
            aria-label={t('docs.contents')}
            className="sticky top-13 hidden max-h-[calc(100dvh-3.25rem)] self-start overflow-y-auto py-12 lg:block"
          >
            <ContentsList shown={shown} />
          </nav>
          <main className="min-w-0 pt-8 pb-20 leading-relaxed md:pt-12">
            <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight">{t('account.docs')}</h1>
            <p className="mt-3 text-ink-2">{t('docs.lead')}</p>
            <details className="group mt-5 rounded-card border border-line lg:hidden">
              <summary className="flex h-11 list-none items-center justify-between rounded-card px-3.5 text-sm font-medium hover:bg-hover">
                {t('docs.contents')}
                <ChevronDown className="size-4 group-open:rotate-180" />
              </summary>
              <nav aria-label={t('docs.contents')} className="border-t border-line p-2">
                <ContentsList shown={shown} />
              </nav>
            </details>
            <Sections models={models.text} />
          </main>
        </div>
      </div>
    </ReaderContext>
  )
}

function readLanguage(): ExampleLanguage {
  const stored = readLocal(languageKey)
  return exampleLanguages.find((language) => language === stored) ?? 'curl'
}
