import type { AdminUser } from '@parley/contracts'

/** The signed-in admin. */
interface Actor {
  readonly _id: string
  readonly isSuperAdmin: boolean
}

/** Admins cannot ban themselves, and only the super admin can ban an admin. */
export const canBan = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && !user.isSuperAdmin && (!user.isAdmin || actor.isSuperAdmin)

/** Admins cannot change their own rights, and only the super admin can revoke admin rights. */
export const canSetAdmin = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && !user.isSuperAdmin && (!user.isAdmin || actor.isSuperAdmin)

/** Admins cannot view as themselves, and only the super admin can view as an admin. */
export const canViewAs = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && (!user.isAdmin || actor.isSuperAdmin)
