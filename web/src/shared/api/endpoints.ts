import type {
  authRoutes,
  billingRoutes,
  chatRoutes,
  financeRoutes,
  keyRoutes,
  memoryRoutes,
  modelRoutes,
  Route,
  shareRoutes,
  usageRoutes,
} from '@parley/contracts'
import type { z } from 'zod'
import { type CallInput, callJson, type Target } from './http.ts'

/** A call of the contract that the SPA makes, carrying its types. */
export interface Endpoint<R> extends Target {
  /** Never set: it only carries the type. */
  readonly route?: R
}

type AnswerOf<R> = R extends Route<z.ZodType, z.ZodType, z.ZodType, infer A> ? z.output<A> : never
type BodyOf<R> = R extends Route<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never

/** Names a call of the contract. */
export const to = <R>(method: Target['method'], path: Target['path']): Endpoint<R> => ({ method, path })

/** Every call the SPA makes. A test holds them against the contract's table. */
export const endpoints = {
  authConfig: to<typeof authRoutes.config>('GET', '/auth/config'),
  register: to<typeof authRoutes.register>('POST', '/auth/register'),
  login: to<typeof authRoutes.login>('POST', '/auth/login'),
  logout: to<typeof authRoutes.logout>('POST', '/auth/logout'),
  verifyEmail: to<typeof authRoutes.verifyEmail>('POST', '/auth/verify-email'),
  resendVerification: to<typeof authRoutes.resendVerification>('POST', '/auth/resend-verification'),
  updateEmail: to<typeof authRoutes.updateEmail>('POST', '/auth/update-email'),
  verificationMail: to<typeof authRoutes.verificationMail>('GET', '/auth/verification-mail'),
  requestPasswordReset: to<typeof authRoutes.requestPasswordReset>('POST', '/auth/password-reset-request'),
  confirmPasswordReset: to<typeof authRoutes.confirmPasswordReset>('POST', '/auth/password-reset-confirm'),
  startOAuth: to<typeof authRoutes.startOAuth>('GET', '/auth/oauth/start'),
  finishOAuth: to<typeof authRoutes.finishOAuth>('POST', '/auth/oauth/callback'),
  linkOAuth: to<typeof authRoutes.linkOAuth>('POST', '/auth/oauth/link'),
  profile: to<typeof authRoutes.profile>('GET', '/user/profile'),
  updateProfile: to<typeof authRoutes.updateProfile>('PATCH', '/user/profile'),
  sessions: to<typeof authRoutes.sessions>('GET', '/user/sessions'),
  endSession: to<typeof authRoutes.endSession>('DELETE', '/user/sessions/:id'),
  endOtherSessions: to<typeof authRoutes.endOtherSessions>('DELETE', '/user/sessions'),
  changePassword: to<typeof authRoutes.changePassword>('POST', '/user/change-password'),
  deleteAccount: to<typeof authRoutes.deleteAccount>('DELETE', '/user'),
  dataExport: to<typeof authRoutes.dataExport>('GET', '/user/data-export'),
  requestDataExport: to<typeof authRoutes.requestDataExport>('POST', '/user/data-export'),
  downloadDataExport: to<typeof authRoutes.downloadDataExport>('POST', '/user/data-export/:id'),
  credits: to<typeof billingRoutes.credits>('GET', '/user/credits'),
  creditWarning: to<typeof billingRoutes.creditWarning>('GET', '/user/credit-warning'),
  acknowledgeCreditWarning: to<typeof billingRoutes.acknowledgeCreditWarning>(
    'POST',
    '/user/credit-warning/acknowledge',
  ),
  keys: to<typeof keyRoutes.keys>('GET', '/user/keys'),
  createKey: to<typeof keyRoutes.createKey>('POST', '/user/keys'),
  updateKey: to<typeof keyRoutes.updateKey>('PATCH', '/user/keys/:id'),
  rotateKey: to<typeof keyRoutes.rotateKey>('POST', '/user/keys/:id/rotate'),
  revokeKey: to<typeof keyRoutes.revokeKey>('DELETE', '/user/keys/:id'),
  userUsage: to<typeof usageRoutes.usage>('GET', '/user/usage'),
  receipts: to<typeof usageRoutes.receipts>('GET', '/user/receipts'),
  receipt: to<typeof usageRoutes.receipt>('GET', '/user/receipts/:generationId'),
  hierarchy: to<typeof modelRoutes.hierarchy>('GET', '/chat/models/hierarchy'),
  guestInfo: to<typeof chatRoutes.guestInfo>('GET', '/chat/guest-info'),
  history: to<typeof chatRoutes.history>('GET', '/chat/history'),
  chat: to<typeof chatRoutes.get>('GET', '/chat/history/:id'),
  rename: to<typeof chatRoutes.rename>('PUT', '/chat/history/:id/rename'),
  pin: to<typeof chatRoutes.pin>('PUT', '/chat/history/:id/pin'),
  archive: to<typeof chatRoutes.archive>('PUT', '/chat/bulk/archive'),
  remove: to<typeof chatRoutes.remove>('DELETE', '/chat/history/:id'),
  restore: to<typeof chatRoutes.restore>('POST', '/chat/history/:id/restore'),
  bulkRemove: to<typeof chatRoutes.bulkRemove>('DELETE', '/chat/bulk'),
  clearChats: to<typeof chatRoutes.clear>('DELETE', '/chats'),
  send: to<typeof chatRoutes.send>('POST', '/chat'),
  resume: to<typeof chatRoutes.resume>('GET', '/chat/stream/:id'),
  stop: to<typeof chatRoutes.stop>('POST', '/chat/stream/:id/stop'),
  create: to<typeof chatRoutes.create>('POST', '/chat/history'),
  merge: to<typeof chatRoutes.merge>('PUT', '/chat/history'),
  show: to<typeof chatRoutes.show>('PUT', '/chat/history/:id/path'),
  followUps: to<typeof chatRoutes.followUps>('POST', '/chat/history/:id/follow-ups'),
  rate: to<typeof chatRoutes.rate>('PUT', '/chat/history/:id/feedback'),
  info: to<typeof chatRoutes.info>('GET', '/chat/:id/info'),
  usage: to<typeof chatRoutes.usage>('GET', '/chat/usage'),
  exportChat: to<typeof chatRoutes.exportChat>('GET', '/chat/history/:id/export'),
  importChats: to<typeof chatRoutes.importChats>('POST', '/chat/import'),
  upload: to<typeof chatRoutes.upload>('POST', '/chat/files'),
  file: to<typeof chatRoutes.file>('GET', '/chat/files/:id'),
  image: to<typeof chatRoutes.image>('POST', '/chat/image'),
  tools: to<typeof chatRoutes.tools>('GET', '/chat/tools'),
  quotes: to<typeof financeRoutes.quotes>('GET', '/finance/quotes'),
  watchlist: to<typeof financeRoutes.watchlist>('GET', '/finance/watchlist'),
  memories: to<typeof memoryRoutes.list>('GET', '/memory'),
  addMemory: to<typeof memoryRoutes.add>('POST', '/memory'),
  changeMemory: to<typeof memoryRoutes.change>('PATCH', '/memory/:id'),
  memoryHistory: to<typeof memoryRoutes.history>('GET', '/memory/:id/history'),
  removeMemory: to<typeof memoryRoutes.remove>('DELETE', '/memory/:id'),
  restoreMemory: to<typeof memoryRoutes.restore>('POST', '/memory/:id/restore'),
  clearMemories: to<typeof memoryRoutes.clear>('DELETE', '/memory'),
  restoreMemories: to<typeof memoryRoutes.restoreCleared>('POST', '/memory/restore'),
  importMemories: to<typeof memoryRoutes.importAll>('POST', '/memory/import'),
  memorySuggestions: to<typeof memoryRoutes.suggestions>('GET', '/memory/suggestions'),
  approveMemory: to<typeof memoryRoutes.approve>('POST', '/memory/suggestions/:id/approve'),
  dismissMemory: to<typeof memoryRoutes.dismiss>('POST', '/memory/suggestions/:id/dismiss'),
  approveMemories: to<typeof memoryRoutes.approveAll>('POST', '/memory/suggestions/approve-all'),
  dismissMemories: to<typeof memoryRoutes.dismissAll>('POST', '/memory/suggestions/dismiss-all'),
  memorySettings: to<typeof memoryRoutes.settings>('GET', '/memory/settings'),
  changeMemorySettings: to<typeof memoryRoutes.updateSettings>('PATCH', '/memory/settings'),
  memoryProfile: to<typeof memoryRoutes.profile>('GET', '/memory/profile'),
  setChatMemory: to<typeof chatRoutes.setMemory>('PUT', '/chat/history/:id/memory'),
  share: to<typeof shareRoutes.create>('POST', '/share'),
  sharePreview: to<typeof shareRoutes.preview>('POST', '/share/preview'),
  shares: to<typeof shareRoutes.list>('GET', '/share'),
  revokeShare: to<typeof shareRoutes.revoke>('DELETE', '/share/:id'),
  revokeShares: to<typeof shareRoutes.revokeAll>('DELETE', '/share'),
  sharedChat: to<typeof shareRoutes.view>('GET', '/share/:id'),
  continueShare: to<typeof shareRoutes.continueChat>('POST', '/share/:id/continue'),
  setWatchlist: to<typeof financeRoutes.setWatchlist>('PUT', '/finance/watchlist'),
} as const

/** Makes a call: its body and answer have the contract's types. Throws ApiError, or AbortError when `signal` aborts. */
export async function request<R>(
  endpoint: Endpoint<R>,
  input: Omit<CallInput, 'body'> & { readonly body?: BodyOf<R> } = {},
): Promise<AnswerOf<R>> {
  return (await callJson(endpoint, input)) as AnswerOf<R>
}
