import type { UserPrincipal } from '@parley/contracts'
import { AppError } from '@parley/kit'
import type { Account } from '../store/account.ts'

type Actor = Pick<UserPrincipal, 'userId' | 'rights'>
type Target = Pick<Account, 'id' | 'isAdmin' | 'isSuperAdmin'>

const forbidden = (message: string): AppError => new AppError('forbidden', message)

/** The refusals of an act by whom it is about: admins only act on others, and on other admins only the super admin does. */
interface Refusals {
  readonly ofSelf: string
  /** Omitted where a super admin may act on another one. */
  readonly ofSuperAdmin?: string
  readonly ofAdmin: string
}

/** @throws AppError forbidden when this admin may not act on this user */
const policyOf =
  ({ ofSelf, ofSuperAdmin, ofAdmin }: Refusals) =>
  (actor: Actor, target: Target): void => {
    if (actor.userId === target.id) throw forbidden(ofSelf)
    if (target.isSuperAdmin && ofSuperAdmin !== undefined) throw forbidden(ofSuperAdmin)
    if (target.isAdmin && !actor.rights.isSuperAdmin) throw forbidden(ofAdmin)
  }

export const ensureMayBan = policyOf({
  ofSelf: 'You can’t ban yourself.',
  ofSuperAdmin: 'The super administrator can’t be banned.',
  ofAdmin: 'Only the super administrator can ban an administrator.',
})

export const ensureMaySignOut = policyOf({
  ofSelf: 'You can sign out your own devices in your profile.',
  ofAdmin: 'Only the super administrator can sign out an administrator.',
})

export const ensureMayViewAs = policyOf({
  ofSelf: 'You can’t view Parley as yourself.',
  ofAdmin: 'Only the super administrator can view Parley as an administrator.',
})

export const ensureMayChangeAdmin = policyOf({
  ofSelf: 'You can’t change your own administrator rights.',
  ofSuperAdmin: 'The super administrator’s rights can’t be changed.',
  ofAdmin: 'Only the super administrator can revoke administrator rights.',
})
