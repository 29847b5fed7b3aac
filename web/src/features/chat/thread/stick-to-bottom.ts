/** Where a scrolling box stands, in pixels. */
export interface ScrollPosition {
  readonly top: number
  /** Height of the content. */
  readonly content: number
  /** Height of the visible part. */
  readonly view: number
}

const nearBottom = 48

/** Whether the end of the content is in view, or nearly. */
export const isAtBottom = ({ top, content, view }: ScrollPosition): boolean => content - view - top <= nearBottom

/**
 * Whether the view goes on following the end, after it moved from `before` to `now`. Any way upwards that the person takes ends it, however
 * short, as a growing text would pull them back; only coming down to the end begins it again. What moves up while the content shrinks or the
 * view changes is the page measuring its rows.
 */
export function staysStuck(stuck: boolean, before: ScrollPosition, now: ScrollPosition): boolean {
  const shrunk = now.content < before.content
  if (now.top < before.top - 1 && !shrunk && now.view === before.view) return false
  if (isAtBottom(now) && (now.top > before.top || shrunk)) return true
  return stuck
}
