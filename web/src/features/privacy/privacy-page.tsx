import { ArrowLeft, LogIn, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { DataExport } from '../../shared/data-export/index.ts'
import { T, useText } from '../../shared/i18n/index.ts'
import { dateFormat } from '../../shared/intl.ts'
import { LanguageSelect } from '../../shared/language/index.ts'
import { Brand, Button, IconButton, Link, TextLink } from '../../shared/ui/index.ts'
import { OtherParties } from './other-parties.tsx'
import { RetentionTable } from './retention-table.tsx'
import './privacy.css'

/** The effective date of this text. */
const updated = new Date('2025-08-10T00:00:00Z')

interface Props {
  readonly homePath: string
  readonly settingsPath: string
  readonly memoryPath: string
  readonly signedIn: boolean
  /** Goes to sign-in and returns here. */
  readonly onSignIn: () => void
}

/** `/privacy`: the public, printable privacy policy, and the request for one's own data. */
export function PrivacyPage({ homePath, settingsPath, memoryPath, signedIn, onSignIn }: Props) {
  const { t, locale } = useText()
  const date = dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(updated)
  const settings = { link: <TextLink to={settingsPath} />, memory: <TextLink to={memoryPath} /> }
  return (
    <div className="privacy-page min-h-dvh">
      <title>{`${t('account.privacy')} · Parley`}</title>
      <header className="sticky top-0 z-10 flex h-13 items-center gap-1 border-b border-line bg-page px-4 sm:gap-3 md:px-6 print:hidden">
        <Link to={homePath} className="target rounded-row">
          <Brand />
        </Link>
        <span className="flex-1" />
        <LanguageSelect />
        <Link
          to={homePath}
          className="target flex h-9 items-center gap-1.5 rounded-card px-1.5 text-sm text-ink-2 sm:gap-2 sm:px-2.5 hover:bg-hover hover:text-ink"
        >
          <ArrowLeft className="size-4 rtl:-scale-x-100" />
          {t('profile.back')}
        </Link>
        <IconButton label={t('history.print')} onClick={() => window.print()}>
          <Printer className="size-4.5" />
        </IconButton>
      </header>
      <main className="mx-auto max-w-measure px-4 pt-8 pb-20 leading-relaxed md:px-6 md:pt-12">
        <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight">{t('account.privacy')}</h1>
        <p className="mt-2 text-sm text-ink-3">
          <time dateTime="2025-08-10">{t('privacy.updated', { date })}</time>
        </p>
        <p className="mt-4 text-ink-2">{t('privacy.lead')}</p>
        <Part title={t('privacy.short.title')}>
          <p>{t('privacy.short.text')}</p>
        </Part>
        <Part title={t('privacy.export.title')} id="request">
          <p>{t('privacy.export.text')}</p>
          <div className="mt-4 print:hidden">
            {signedIn ? (
              <DataExport />
            ) : (
              <Button onClick={onSignIn}>
                <LogIn className="size-4 rtl:-scale-x-100" />
                {t('privacy.export.signIn')}
              </Button>
            )}
          </div>
        </Part>
        <Part title={t('privacy.kept.title')}>
          <RetentionTable />
        </Part>
        <Part title={t('privacy.others.title')}>
          <OtherParties />
        </Part>
        <Part title={t('privacy.browser.title')}>
          <p>{t('privacy.browser.text')}</p>
          <p className="mt-2">{t('privacy.browser.dictation')}</p>
        </Part>
        <Part title={t('privacy.rights.title')}>
          <ul className="flex list-disc flex-col gap-2 ps-5">
            <li>
              <T id="privacy.rights.see" components={settings} />
            </li>
            <li>{t('privacy.rights.copy')}</li>
            <li>
              <T id="privacy.rights.delete" components={settings} />
            </li>
            <li>{t('privacy.rights.object')}</li>
          </ul>
        </Part>
        <Part title={t('privacy.operator.title')}>
          <p>{t('privacy.operator.text')}</p>
        </Part>
      </main>
    </div>
  )
}

function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-9 scroll-mt-18">
      <h2 className="mb-2 text-lg font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  )
}
