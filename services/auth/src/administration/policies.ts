import type { UserPrincipal } from '@parley/contracts'
import { AppError } from '@parley/kit'
import type { Account } from '../store/account.ts'

type Actor = Pick<UserPrincipal, 'userId' | 'rights'>
type Target = Pick<Account, 'id' | 'isAdmin' | 'isSuperAdmin'>

const forbidden = (message: string): AppError => new AppError('forbidden', message)

/** @throws AppError forbidden when this admin may not ban or unban this user */
export function ensureMayBan(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('You can’t ban yourself.')
  if (target.isSuperAdmin) throw forbidden('The super administrator can’t be banned.')
  if (target.isAdmin && !actor.rights.isSuperAdmin) {
    throw forbidden('Only the super administrator can ban an administrator.')
  }
}

/** @throws AppError forbidden when this admin may not sign this user out */
export function ensureMaySignOut(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('You can sign out your own devices in your profile.')
  if (target.isAdmin && !actor.rights.isSuperAdmin) {
    throw forbidden('Only the super administrator can sign out an administrator.')
  }
}

/** @throws AppError forbidden when this admin may not see the product as this user */
export function ensureMayViewAs(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('You can’t view Parley as yourself.')
  if (target.isAdmin && !actor.rights.isSuperAdmin) {
    throw forbidden('Only the super administrator can view Parley as an administrator.')
  }
}

/** @throws AppError forbidden when this admin may not grant or remove this user's admin rights */
export function ensureMayChangeAdmin(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('You can’t change your own administrator rights.')
  if (target.isSuperAdmin) throw forbidden('The super administrator’s rights can’t be changed.')
  if (target.isAdmin && !actor.rights.isSuperAdmin) {
    throw forbidden('Only the super administrator can revoke administrator rights.')
  }
}
