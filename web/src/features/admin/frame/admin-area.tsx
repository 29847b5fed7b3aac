import { Suspense, useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useText } from '../../../shared/i18n/index.ts'
import { prepareParts } from '../../../shared/lazy/index.ts'
import { ErrorBoundary, Skeleton, TextLink } from '../../../shared/ui/index.ts'
import { useAdminUpdates } from '../data/use-admin-updates.ts'
import { adminPath } from './admin-path.ts'
import { Page } from './page.tsx'
import { readAdminPath, sections } from './sections.tsx'

/** What starts the data of the section that is opened next. */
const prepareData = async (): Promise<void> => void (await import('./section-data.ts'))

/** The section of the present address. An error in one section does not affect the others, whose code is loaded once the page is idle. */
export function AdminArea() {
  const { t } = useText()
  const { pathname } = useLocation()
  const { section, rest } = readAdminPath(pathname)
  useAdminUpdates()
  useEffect(() => prepareParts(new Set([prepareData, ...sections.map(({ Screen }) => Screen.prepare)])), [])
  if (!section) {
    return (
      <Page title={t('admin.unknown.title')}>
        <p className="text-ink-2">
          {t('admin.unknown.text')} <TextLink to={adminPath('overview')}>{t('admin.section.overview')}</TextLink>
        </p>
      </Page>
    )
  }
  const { name, Screen } = section
  return (
    <ErrorBoundary key={name} level="component" resetKey={pathname}>
      <Suspense fallback={<SectionSkeleton title={t(`admin.section.${name}`)} />}>
        <Screen rest={rest} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** A placeholder in the shape of a section. */
const SectionSkeleton = ({ title }: { title: string }) => (
  <Page title={title}>
    <Skeleton widths={['40%', '100%', '100%', '100%']} />
  </Page>
)
