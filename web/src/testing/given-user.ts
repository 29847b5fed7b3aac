import { defaultPreferences, type User } from '@parley/contracts'

/** A user of the API without special rights. */
export const user: User = {
  _id: 'u1',
  username: 'ada',
  email: 'ada@example.com',
  displayName: null,
  isAdmin: false,
  isSuperAdmin: false,
  isBanned: false,
  emailVerified: true,
  authType: 'local',
  hasPassword: true,
  emailProblem: null,
  preferences: defaultPreferences,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastLoginAt: null,
}
const { email: _, ...withoutEmail } = user
/** The same user as stored in the browser. */
export const storedUser: Omit<User, 'email'> = withoutEmail
