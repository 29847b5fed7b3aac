import { useText } from '../shared/i18n/index.ts'
import { Brand, Link } from '../shared/ui/index.ts'
import { routes } from './routes.ts'

/** The page after deleting an account. */
export function Goodbye() {
  const { t } = useText()
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <title>{`${t('shared.goodbye.title')} · Parley`}</title>
      <div className="w-full max-w-card">
        <Brand size={26} />
        <h1 className="mt-7 text-2xl leading-tight font-semibold tracking-tight">{t('shared.goodbye.title')}</h1>
        <p className="mt-1.5 mb-6 text-ink-2">{t('shared.goodbye.text')}</p>
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
