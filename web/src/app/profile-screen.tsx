import { Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { AccountMenu } from '../features/account/index.ts'
import { MemoryPanel } from '../features/memory/index.ts'
import {
  AppearanceTab,
  KeysTab,
  MemoryTab,
  PreferencesTab,
  ProfileTab,
  SectionList,
  UsageTab,
} from '../features/profile/index.ts'
import { SharedLinks } from '../features/share/index.ts'
import { endpoints, request } from '../shared/api/index.ts'
import { Frame } from '../shared/frame/index.ts'
import { useText } from '../shared/i18n/index.ts'
import { LiveStatus } from '../shared/live/index.ts'
import { clearSession, endSession, useSession } from '../shared/session/index.ts'
import { Brand, ErrorBoundary, LoadingOverlay } from '../shared/ui/index.ts'
import { profilePaths as paths, routes } from './routes.ts'

/** The user's settings, in the same frame as the chat. */
export function ProfileScreen() {
  return (
    <Frame
      sidebar={
        <>
          <SectionList brand={<Brand />} paths={paths} />
          <AccountMenu />
        </>
      }
    >
      <LiveStatus />
      <ErrorBoundary level="component">
        <Suspense fallback={<LoadingOverlay />}>
          <Tab />
        </Suspense>
      </ErrorBoundary>
    </Frame>
  )
}

function Tab() {
  const { t } = useText()
  const isViewing = useSession(({ viewing }) => viewing !== null)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  if (pathname.startsWith(paths.appearance)) return <AppearanceTab paths={paths} />
  if (pathname.startsWith(paths.preferences)) return <PreferencesTab paths={paths} />
  if (pathname.startsWith(paths.keys)) return <KeysTab paths={paths} />
  if (pathname.startsWith(paths.usage)) return <UsageTab paths={paths} />
  if (pathname.startsWith(paths.memory)) {
    return (
      <MemoryTab paths={paths}>
        {isViewing ? (
          <p className="text-ink-2">{t('memory.viewing')}</p>
        ) : (
          <MemoryPanel chatPath={routes.savedChat.getHref} />
        )}
      </MemoryTab>
    )
  }
  return (
    <ProfileTab
      paths={paths}
      privacyPath={routes.privacy.getHref()}
      sharedLinks={<SharedLinks />}
      onSignInAgain={() => {
        void request(endpoints.logout).catch(() => undefined)
        // The guard then asks for sign-in and returns here; the user's drafts are kept.
        endSession()
      }}
      onDeleted={() => {
        // Navigate first, because this page would ask for sign-in.
        navigate(routes.goodbye.getHref(), { replace: true })
        clearSession()
      }}
    />
  )
}
