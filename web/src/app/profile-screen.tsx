import { Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { AccountMenu } from '../features/account/index.ts'
import { AppearanceTab, PreferencesTab, ProfileTab, SectionList } from '../features/profile/index.ts'
import { endpoints, request } from '../shared/api/index.ts'
import { Frame } from '../shared/frame/index.ts'
import { LiveStatus } from '../shared/live/index.ts'
import { clearSession, endSession } from '../shared/session/index.ts'
import { Brand, ErrorBoundary, LoadingOverlay } from '../shared/ui/index.ts'
import { routes } from './routes.ts'

const paths = {
  chat: routes.chat.getHref(),
  profile: routes.profile.getHref(),
  appearance: routes.appearance.getHref(),
  preferences: routes.preferences.getHref(),
}

/** The settings of who is signed in, in the frame that the chat has. */
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
  const { pathname } = useLocation()
  const navigate = useNavigate()
  if (pathname.startsWith(paths.appearance)) return <AppearanceTab paths={paths} />
  if (pathname.startsWith(paths.preferences)) return <PreferencesTab paths={paths} />
  return (
    <ProfileTab
      paths={paths}
      privacyPath={routes.privacy.getHref()}
      onSignInAgain={() => {
        void request(endpoints.logout).catch(() => undefined)
        // The guard then asks for sign-in, and leads back here; the same person wants their drafts again.
        endSession()
      }}
      onDeleted={() => {
        // Left first, as this page would ask for sign-in.
        navigate(routes.goodbye.getHref(), { replace: true })
        clearSession()
      }}
    />
  )
}
