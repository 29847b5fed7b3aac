import type { authRoutes, shareRoutes } from '@parley/contracts'
import { to } from './request.ts'

/** The calls of the page of a shared link, apart from all others, which it need not load. */
export const sharedChatEndpoints = {
  updateProfile: to<typeof authRoutes.updateProfile>('PATCH', '/user/profile'),
  sharedChat: to<typeof shareRoutes.view>('GET', '/share/:id'),
  continueShare: to<typeof shareRoutes.continueChat>('POST', '/share/:id/continue'),
} as const
