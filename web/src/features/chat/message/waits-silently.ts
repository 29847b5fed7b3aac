import type { LiveAnswer } from '../thread/live-answer.ts'

/** True while an answer is made of which nothing is to be seen yet; who has thoughts hidden sees nothing of them either. */
export const waitsSilently = ({ phase, content }: Pick<LiveAnswer, 'phase' | 'content'>, thoughtsShown: boolean) =>
  content === '' && (phase === 'waiting' || !thoughtsShown)
