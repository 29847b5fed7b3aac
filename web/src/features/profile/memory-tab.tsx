import type { ReactNode } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { Page } from './page.tsx'
import type { ProfilePaths } from './section-list.tsx'

/** `/profile/memory`, with the memory panel as its content. */
export function MemoryTab({ paths, children }: { paths: ProfilePaths; children: ReactNode }) {
  const { t } = useText()
  return (
    <Page title={t('profile.tab.memory')} paths={paths}>
      <div>
        <p className="-mt-5 mb-5 text-ink-2">{t('memory.lead')}</p>
        {children}
      </div>
    </Page>
  )
}
