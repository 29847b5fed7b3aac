import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { LaterTexts } from '../../../shared/i18n/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { LoadingOverlay, notify } from '../../../shared/ui/index.ts'

/** Redirects users who may not see the administration to the home page and says why, also an admin who loses the rights while it is open. */
export const AdminRefusal = () => (
  <LaterTexts part="admin">
    <RefusedHome />
  </LaterTexts>
)

function RefusedHome() {
  const navigate = useNavigate()
  const isSignedIn = useSession(({ token }) => token !== null)
  useEffect(() => {
    notify.error((now) => now(isSignedIn ? 'admin.access.forbidden' : 'admin.access.signedOut'), { id: 'admin' })
    navigate('/', { replace: true })
  }, [navigate, isSignedIn])
  return <LoadingOverlay what="authenticating" />
}
