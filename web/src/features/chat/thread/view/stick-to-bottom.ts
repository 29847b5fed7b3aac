/** The scroll position of a box, in pixels. */
export interface ScrollPosition {
  readonly top: number
  /** Height of the content. */
  readonly content: number
  /** Height of the visible part. */
  readonly view: number
}

const nearBottom = 48

/** Whether the end of the content is (nearly) in view. */
export const isAtBottom = ({ top, content, view }: ScrollPosition): boolean => content - view - top <= nearBottom

/**
 * Whether the view keeps following the end after it moved from `before` to `now`. Any upward scroll by the user ends it, however short,
 * because a growing text would pull them back; only reaching the end resumes it. An upward move while the content shrinks or the
 * view changes is caused by row measurement.
 */
export function staysStuck(stuck: boolean, before: ScrollPosition, now: ScrollPosition): boolean {
  const shrunk = now.content < before.content
  if (now.top < before.top - 1 && !shrunk && now.view === before.view) return false
  if (isAtBottom(now) && (now.top > before.top || shrunk)) return true
  return stuck
}

export interface PressedKey {
  readonly key: string
  readonly shiftKey: boolean
  readonly inTextField: boolean
}

export const scrollsUp = ({ key, shiftKey, inTextField }: PressedKey): boolean =>
  !inTextField && (['ArrowUp', 'PageUp', 'Home'].includes(key) || (key === ' ' && shiftKey))
