import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { profileQuery } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { LoadFailure } from '../../shared/loaded.tsx'
import { useSession } from '../../shared/session/index.ts'
import { Box, Skeleton } from '../../shared/ui/index.ts'
import { DataSection } from './data/data-section.tsx'
import { DeleteSection } from './data/delete-section.tsx'
import { StorageSection } from './data/storage-section.tsx'
import { Page, Section } from './page.tsx'
import { EmailSection } from './personal/email-section.tsx'
import { PersonalSection } from './personal/personal-section.tsx'
import type { ProfilePaths } from './section-list.tsx'
import { PasswordSection } from './security/password-section.tsx'
import { SessionsSection } from './security/sessions-section.tsx'

interface Props {
  readonly paths: ProfilePaths
  readonly privacyPath: string
  readonly sharedLinks: ReactNode
  /** Ends the session and returns here after the next sign-in. */
  readonly onSignInAgain: () => void
  readonly onDeleted: () => void
}

/** `/profile`: names, sign-in, devices, and stored data. */
export function ProfileTab({ paths, privacyPath, sharedLinks, onSignInAgain, onDeleted }: Props) {
  const { t } = useText()
  const isViewing = useSession(({ viewing }) => viewing !== null)
  const { data: user, error, refetch } = useQuery(profileQuery)
  return (
    <Page title={t('profile.tab.profile')} paths={paths}>
      {user ? (
        <>
          <PersonalSection user={user} />
          <EmailSection user={user} />
          <PasswordSection user={user} />
          {isViewing ? (
            <p className="text-sm text-ink-2">{t('profile.viewing')}</p>
          ) : (
            <>
              <SessionsSection />
              <StorageSection />
              <Section title={t('sharing.links.title')} lead={t('sharing.links.lead')}>
                <Box>{sharedLinks}</Box>
              </Section>
              <DataSection privacyPath={privacyPath} />
              <DeleteSection user={user} onSignInAgain={onSignInAgain} onDeleted={onDeleted} />
            </>
          )}
        </>
      ) : error ? (
        <Box className="">
          <LoadFailure error={error} failed={t('profile.loadFailed')} onRetry={refetch} />
        </Box>
      ) : (
        <Section title={t('profile.personal.title')}>
          <Box>
            <Skeleton widths={['30%', '100%', '30%', '100%', '40%']} lineClass="h-6" />
          </Box>
        </Section>
      )}
    </Page>
  )
}
