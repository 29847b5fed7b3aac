import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { guestInfoQuery } from '../shared/api/index.ts'
import { useSession } from '../shared/session/index.ts'
import { LoadingOverlay } from '../shared/ui/index.ts'
import { type AccessRule, decideAccess } from './access.ts'
import { forgetWantedPath, rememberWantedPath, wantedPath } from './wanted-path.ts'

/** Shows its children to those the rule lets in, and leads everybody else where the rule says. */
export function Guard({ rule, children }: { rule: AccessRule; children: ReactNode }) {
  const signedIn = useSession((state) => state.token !== null)
  const isAdmin = useSession((state) => state.user?.isAdmin ?? false)
  const guest = useQuery({ ...guestInfoQuery, enabled: rule === 'chat' && !signedIn })
  const granted = guest.data === undefined ? undefined : guest.data !== null
  const decision = decideAccess(rule, { signedIn, isAdmin, guest: granted })
  if (decision.type === 'show') return children
  if (decision.type === 'wait') return <LoadingOverlay what="authenticating" />
  return decision.remember ? <RedirectToLogin /> : <RedirectHome />
}

function RedirectToLogin() {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  useEffect(() => {
    rememberWantedPath(`${pathname}${search}${hash}`)
    navigate('/login', { replace: true })
  }, [navigate, pathname, search, hash])
  return <LoadingOverlay what="authenticating" />
}

function RedirectHome() {
  const navigate = useNavigate()
  useEffect(() => {
    const to = wantedPath()
    forgetWantedPath()
    navigate(to, { replace: true })
  }, [navigate])
  return <LoadingOverlay what="authenticating" />
}
