import { useNavigate } from 'react-router-dom'
import { PrivacyPage } from '../features/privacy/index.ts'
import { rememberReturnPath, useSession } from '../shared/session/index.ts'
import { routes } from './routes.ts'

/** The public privacy policy. */
export function PrivacyScreen() {
  const navigate = useNavigate()
  const signedIn = useSession((state) => state.token !== null)
  return (
    <PrivacyPage
      homePath={routes.chat.getHref()}
      settingsPath={routes.profile.getHref()}
      memoryPath={routes.memory.getHref()}
      signedIn={signedIn}
      onSignIn={() => {
        rememberReturnPath(`${routes.privacy.getHref()}#request`)
        navigate(routes.login.getHref())
      }}
    />
  )
}
