import type { AdminUser } from '@parley/contracts'

interface Actor {
  readonly _id: string
  readonly isSuperAdmin: boolean
}

/** Whether a user can be banned, and made an admin or no longer one: never oneself, and an admin only by the super admin. */
export const canChangeRights = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && !user.isSuperAdmin && (!user.isAdmin || actor.isSuperAdmin)

/** Admins cannot view as themselves, and only the super admin can view as an admin. */
export const canViewAs = (actor: Actor, user: AdminUser): boolean =>
  user._id !== actor._id && (!user.isAdmin || actor.isSuperAdmin)
