import type { authRoutes, shareRoutes } from '@parley/contracts'
import { to } from './request.ts'

/** The calls of a shared link's page, separate so that the page need not load all others. */
export const sharedChatEndpoints = {
  updateProfile: to<typeof authRoutes.updateProfile>('PATCH', '/user/profile'),
  sharedChat: to<typeof shareRoutes.view>('GET', '/share/:id'),
  continueShare: to<typeof shareRoutes.continueChat>('POST', '/share/:id/continue'),
} as const
