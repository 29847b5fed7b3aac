import { describe, expect, it } from 'vitest'
import { decideAccess } from './access.ts'

const anonymous = { signedIn: false, isAdmin: false, guest: false }
const guest = { ...anonymous, guest: true }
const unknown = { ...anonymous, guest: undefined }
const user = { signedIn: true, isAdmin: false, guest: undefined }
const admin = { ...user, isAdmin: true }
const toLogin = { type: 'redirect', to: '/login', remember: true }
const toHome = { type: 'redirect', to: '/', remember: false }

describe('access to routes', () => {
  it('shows the chat to users and permitted guests, waits while this is unknown, and sends others to sign in', () => {
    expect(decideAccess('chat', user)).toEqual({ type: 'show' })
    expect(decideAccess('chat', guest)).toEqual({ type: 'show' })
    expect(decideAccess('chat', unknown)).toEqual({ type: 'wait' })
    expect(decideAccess('chat', anonymous)).toEqual(toLogin)
  })

  it('keeps signed-in users out of the sign-in screens', () => {
    expect(decideAccess('guest-only', user)).toEqual(toHome)
    expect(decideAccess('guest-only', guest)).toEqual({ type: 'show' })
    expect(decideAccess('guest-only', unknown)).toEqual({ type: 'show' })
  })

  it('requires sign-in for the profile and admin rights for the administration', () => {
    expect(decideAccess('login', guest)).toEqual(toLogin)
    expect(decideAccess('login', user)).toEqual({ type: 'show' })
    expect(decideAccess('admin', guest)).toEqual(toHome)
    expect(decideAccess('admin', user)).toEqual(toHome)
    expect(decideAccess('admin', admin)).toEqual({ type: 'show' })
    expect(decideAccess('public', anonymous)).toEqual({ type: 'show' })
  })
})
