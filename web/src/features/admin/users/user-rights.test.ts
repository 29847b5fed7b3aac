import type { AdminUser } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { canChangeRights, canViewAs } from './user-rights.ts'

const user = (fields: Partial<AdminUser>): AdminUser => ({
  _id: 'u',
  username: 'u',
  email: 'u@parley.test',
  isAdmin: false,
  isSuperAdmin: false,
  banned: false,
  type: 'local',
  createdAt: '2030-01-01T00:00:00.000Z',
  lastLoginAt: null,
  emailVerified: true,
  plan: null,
  credits: null,
  ...fields,
})
const admin = { _id: 'a', isSuperAdmin: false }
const superAdmin = { _id: 's', isSuperAdmin: true }

describe('the actions on a user', () => {
  it('let an admin ban users and make them admins, and only the super admin ban admins or revoke their rights', () => {
    expect(canChangeRights(admin, user({}))).toBe(true)
    expect(canChangeRights(admin, user({ isAdmin: true }))).toBe(false)
    expect(canChangeRights(superAdmin, user({ isAdmin: true }))).toBe(true)
  })

  it('let nobody change their own rights, or those of the super admin', () => {
    expect(canChangeRights(admin, user({ _id: 'a', isAdmin: true }))).toBe(false)
    expect(canChangeRights(superAdmin, user({ _id: 's', isSuperAdmin: true }))).toBe(false)
    expect(canChangeRights(superAdmin, user({ isSuperAdmin: true, isAdmin: true }))).toBe(false)
  })

  it('let nobody view as themselves, and only the super admin view as an admin', () => {
    expect(canViewAs(admin, user({}))).toBe(true)
    expect(canViewAs(admin, user({ isAdmin: true }))).toBe(false)
    expect(canViewAs(superAdmin, user({ isAdmin: true }))).toBe(true)
    expect(canViewAs(superAdmin, user({ _id: 's' }))).toBe(false)
  })
})
