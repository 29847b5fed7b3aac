import { hasLeft, useSession } from '../shared/session/index.ts'

let leftPath: string | null = null

/** Whether the last user signed out, in another tab, while this one showed the path, to which the next user must not be sent. */
export const isLeftPath = (path: string): boolean => path === leftPath

/** Notes what the tab shows when its user signs out. Returns a function that stops. */
export const followSignOuts = (): (() => void) =>
  useSession.subscribe(({ user }, { user: before }) => {
    if (user?._id === before?._id) return
    // A session that only expired continues where it was.
    leftPath = hasLeft() ? `${location.pathname}${location.search}${location.hash}` : null
  })
