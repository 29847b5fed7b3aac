import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { InvalidLink } from './invalid-link.tsx'
import { NewPassword } from './new-password.tsx'
import { RequestLink } from './request-link.tsx'
import { readResetLink } from './reset-link.ts'

/** `/password-reset`: asks for a link, or sets a new password by the link that was mailed. */
export function PasswordResetPage() {
  const navigate = useNavigate()
  const { search, pathname } = useLocation()
  const [link, setLink] = useState(() => readResetLink(search))
  // Whoever types the address again or comes back to it starts anew.
  const [email, setEmail] = useState('')
  useEffect(() => {
    // The token opens the account: it stays in this page's memory alone, neither in the address nor in the history.
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
