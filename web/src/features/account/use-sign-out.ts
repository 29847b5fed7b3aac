import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'
import { endpoints, request } from '../../shared/api/index.ts'
import { clearSession } from '../../shared/session/index.ts'

/** Ends the session here and, if reachable, on the server; navigates to the start. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    // Navigate first: otherwise the chat's URL would be remembered as the page for the next user to sign in.
    navigate('/', { replace: true })
    // The request reads the token synchronously. Whatever its result, the user has left this browser.
    void request(endpoints.logout).catch(() => undefined)
    clearSession()
  }, [navigate])
}
