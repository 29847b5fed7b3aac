import type { AdminUser } from '@parley/contracts'

/** The admin who looks. */
interface Actor {
  readonly _id: string
  readonly isSuperAdmin: boolean
}

/** Nobody bans themself, and only the super admin bans an admin. */
export const canBan = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && !user.isSuperAdmin && (!user.isAdmin || actor.isSuperAdmin)

/** Only the super admin makes and unmakes admins, and never themself. */
export const canSetAdmin = (actor: Actor, user: AdminUser): boolean =>
  actor.isSuperAdmin && user._id !== actor._id && !user.isSuperAdmin

/** Nobody views as themself, and only the super admin views as an admin. */
export const canViewAs = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && (!user.isAdmin || actor.isSuperAdmin)
