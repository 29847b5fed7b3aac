import type { UserPrincipal } from '@parley/contracts'
import { AppError } from '@parley/kit'
import type { Account } from './store/account.ts'

type Actor = Pick<UserPrincipal, 'userId' | 'rights'>
type Target = Pick<Account, 'id' | 'isAdmin' | 'isSuperAdmin'>

const forbidden = (message: string): AppError => new AppError('forbidden', message)

/** @throws AppError forbidden when this admin may not ban or unban this user */
export function ensureMayBan(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('You cannot ban yourself.')
  if (target.isSuperAdmin) throw forbidden('The super administrator cannot be banned.')
  if (target.isAdmin && !actor.rights.isSuperAdmin) {
    throw forbidden('Only the super administrator can ban an administrator.')
  }
}

/** @throws AppError forbidden when this admin may not sign this user out */
export function ensureMaySignOut(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('Your own devices are signed out in your profile.')
  if (target.isAdmin && !actor.rights.isSuperAdmin) {
    throw forbidden('Only the super administrator can sign an administrator out.')
  }
}

/** @throws AppError forbidden when this admin may not grant or remove this user's admin rights */
export function ensureMayChangeAdmin(actor: Actor, target: Target): void {
  if (actor.userId === target.id) throw forbidden('You cannot change your own administrator rights.')
  if (target.isSuperAdmin) throw forbidden('The rights of the super administrator cannot be changed.')
  if (!actor.rights.isSuperAdmin) throw forbidden('Only the super administrator can change administrator rights.')
}
