import { useCallback } from 'react'
import { useNavigate } from 'react-router-dom'
import { endpoints, request } from '../../shared/api/index.ts'
import { clearSession } from '../../shared/session/index.ts'

/** Ends the session here and, when it can be reached, at the server; leads to the start. */
export function useSignOut(): () => void {
  const navigate = useNavigate()
  return useCallback(() => {
    // Left first: a saved chat's address would be remembered as the place to come back to, by whoever signs in next.
    navigate('/', { replace: true })
    // The call reads the token as it starts. Whatever it answers, the person has left this browser.
    void request(endpoints.logout).catch(() => undefined)
    clearSession()
  }, [navigate])
}
