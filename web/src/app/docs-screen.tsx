import { useNavigate } from 'react-router-dom'
import { DocsPage } from '../features/docs/index.ts'
import { LaterTexts } from '../shared/i18n/index.ts'
import { rememberReturnPath, useSession } from '../shared/session/index.ts'
import { routes } from './routes.ts'

const paths = { home: routes.chat.getHref(), keys: routes.keys.getHref(), usage: routes.usage.getHref() }

/** The public API documentation. */
export function DocsScreen() {
  const navigate = useNavigate()
  const signedIn = useSession((state) => state.token !== null)
  return (
    <LaterTexts part="docs">
      <DocsPage
        paths={paths}
        signedIn={signedIn}
        onSignIn={(section) => {
          rememberReturnPath(`${routes.docs.getHref()}#${section}`)
          navigate(routes.login.getHref())
        }}
      />
    </LaterTexts>
  )
}
