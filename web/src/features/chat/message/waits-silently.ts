import type { LiveAnswer } from '../thread/state/live-answer.ts'

/** Whether a running answer shows nothing yet; hidden reasoning does not count. */
export const waitsSilently = ({ phase, content }: Pick<LiveAnswer, 'phase' | 'content'>, thoughtsShown: boolean) =>
  content === '' && (phase === 'waiting' || !thoughtsShown)
