import { useText } from '../shared/i18n/index.ts'
import { Brand, Link } from '../shared/ui/index.ts'
import { routes } from './routes.ts'

/** The page for unknown paths. */
export function NotFound() {
  const { t } = useText()
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <title>{`${t('shared.notFound.title')} · Parley`}</title>
      <div className="w-full max-w-card">
        <Brand size={26} />
        <p className="mt-7 text-sm text-ink-3 tabular-nums">404</p>
        <h1 className="mt-1 text-2xl font-semibold tracking-tight">{t('shared.notFound.title')}</h1>
        <p className="mt-1.5 mb-6 text-ink-2">{t('shared.notFound.text')}</p>
        <Link
          to={routes.chat.getHref()}
          className="inline-flex h-11 items-center rounded-card bg-brand px-4 font-semibold text-on-brand hover:brightness-105"
        >
          {t('shared.error.home')}
        </Link>
      </div>
    </main>
  )
}
