import type { AdminUser } from '@parley/contracts'

/** The signed-in admin. */
interface Actor {
  readonly _id: string
  readonly isSuperAdmin: boolean
}

/** Admins cannot ban themselves, and only the super admin can ban an admin. */
export const canBan = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && !user.isSuperAdmin && (!user.isAdmin || actor.isSuperAdmin)

/** Only the super admin can grant and revoke admin rights, and not to themselves. */
export const canSetAdmin = (actor: Actor, user: AdminUser): boolean =>
  actor.isSuperAdmin && user._id !== actor._id && !user.isSuperAdmin

/** Admins cannot view as themselves, and only the super admin can view as an admin. */
export const canViewAs = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && (!user.isAdmin || actor.isSuperAdmin)
