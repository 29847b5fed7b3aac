export { logError } from './error-log.ts'
export { discardGuestThread, guestAnswerRuns, guestThreadKey, hasDraft, hasGuestThread } from './guest-thread-key.ts'
export { forgetReturnPath, rememberReturnPath, returnPath } from './return-path.ts'
export {
  adoptStoredSession,
  clearSession,
  endSession,
  endViewing,
  followOtherTabs,
  getSession,
  hasLeft,
  markBanned,
  setGuestSessionId,
  setRights,
  setUser,
  signIn,
  startViewing,
  useSession,
} from './session.ts'
export {
  guardStorage,
  parseStored,
  privatePrefix,
  readLocal,
  readTab,
  type TextStorage,
  writeLocal,
  writeTab,
} from './storage.ts'
export type { StoredUser } from './stored-user.ts'
export { notifyTabs, subscribeToTabs } from './tabs.ts'
export type { Viewing } from './viewing.ts'
