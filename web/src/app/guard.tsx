import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { guestInfoQuery } from '../shared/api/index.ts'
import { forgetReturnPath, rememberReturnPath, returnPath, useSession } from '../shared/session/index.ts'
import { LoadingOverlay } from '../shared/ui/index.ts'
import { type AccessRule, decideAccess } from './access.ts'
import { isLeftPath } from './left-path.ts'

interface Props {
  readonly rule: AccessRule
  /** Shown to users without access instead of the administration: says why, and redirects home. */
  readonly refused: ReactNode
  readonly children: ReactNode
}

/** Shows its children to visitors whom the rule admits, and redirects all others. */
export function Guard({ rule, refused, children }: Props) {
  const signedIn = useSession((state) => state.token !== null)
  const isAdmin = useSession((state) => state.user?.isAdmin ?? false)
  const guest = useQuery({ ...guestInfoQuery, enabled: rule === 'chat' && !signedIn })
  // Deferred, React draws the screen in slices, between which the browser takes input; otherwise the answer's arrival would block a phone for a third of a second.
  const granted = useDeferredValue(guest.data === undefined ? undefined : guest.data !== null)
  const decision = decideAccess(rule, { signedIn, isAdmin, guest: granted })
  const arrived = decision.type === 'show' && (rule === 'chat' || rule === 'login')
  useEffect(() => {
    // Visitors who continued as guests no longer want the page that required sign-in.
    if (arrived) forgetReturnPath()
  }, [arrived])
  if (decision.type === 'show') return children
  if (decision.type === 'wait') return <LoadingOverlay what="authenticating" />
  if (rule === 'admin') return <Suspense fallback={<LoadingOverlay what="authenticating" />}>{refused}</Suspense>
  return decision.remember ? <RedirectToLogin /> : <RedirectHome />
}

function RedirectToLogin() {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  useEffect(() => {
    const path = `${pathname}${search}${hash}`
    if (!isLeftPath(path)) rememberReturnPath(path)
    navigate('/login', { replace: true })
  }, [navigate, pathname, search, hash])
  return <LoadingOverlay what="authenticating" />
}

function RedirectHome() {
  const navigate = useNavigate()
  const [to] = useState(returnPath)
  useEffect(() => {
    forgetReturnPath()
    navigate(to, { replace: true })
  }, [navigate, to])
  return <LoadingOverlay what="authenticating" />
}
