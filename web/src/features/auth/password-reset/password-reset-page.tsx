import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { InvalidLink } from './invalid-link.tsx'
import { NewPassword } from './new-password.tsx'
import { RequestLink } from './request-link.tsx'
import { readResetLink } from './reset-link.ts'

/** `/password-reset`: requests a link, or sets a new password with the mailed link. */
export function PasswordResetPage() {
  const navigate = useNavigate()
  const { search, pathname } = useLocation()
  const [link, setLink] = useState(() => readResetLink(search))
  // Visiting the page again starts over.
  const [email, setEmail] = useState('')
  useEffect(() => {
    // The token gives access to the account, so it is kept in memory only, not in the URL or the history.
    if (search !== '') navigate(pathname, { replace: true })
  }, [navigate, pathname, search])
  const startAgain = () => {
    if (link !== null && link !== 'damaged') setEmail(link.email)
    setLink(null)
  }
  const [expired, setExpired] = useState(false)
  if (link === null) return <RequestLink email={email} />
  if (link === 'damaged' || expired) return <InvalidLink onAgain={startAgain} />
  return <NewPassword link={link} onInvalid={() => setExpired(true)} />
}
