import type { Receipt as ChargeReceipt } from '@parley/contracts'
import { formatSeconds } from '../../../shared/format.ts'
import type { Translate } from '../../../shared/i18n/index.ts'
import type { ThreadMessage } from '../thread/thread-message.ts'

/** What an answer cost: credits, tokens, seconds, as far as they are known. Guests pay no credits and see none. */
export function receiptOf(t: Translate, locale: string, message: ThreadMessage, guest: boolean): string {
  const { credits, usage, durationMs } = message
  const tokens = usage ? usage.inputTokens + usage.outputTokens : null
  const parts = [
    credits !== null && !guest && t('chat.message.receipt.credits', { count: credits }),
    // An image has none, and those of an answer that never came are nobody's.
    tokens !== null &&
      tokens > 0 &&
      !isFreeEmptyAnswer(message) &&
      t(usage?.estimated ? 'chat.message.receipt.estimatedTokens' : 'chat.message.receipt.tokens', { count: tokens }),
    durationMs !== null && t('chat.message.receipt.seconds', { seconds: formatSeconds(durationMs, locale) }),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Nothing came of an answer, and it cost nothing. */
export const isFreeEmptyAnswer = ({ credits, content, attachments }: ThreadMessage): boolean =>
  credits === 0 && content === '' && attachments.length === 0

/** The ids of the generations that an answer took; its own, unless it was continued. */
export const generationsOf = ({ id, generations }: Pick<ThreadMessage, 'id' | 'generations'>): readonly string[] =>
  generations.length > 0 ? generations.map((generation) => generation.id) : [id ?? '']

/** The receipts of an answer's generations, in order, as one with the words and the balance of the last; undefined until all are there. */
export function sumReceipts(receipts: readonly (ChargeReceipt | undefined)[]): ChargeReceipt | undefined {
  const known = receipts.filter((receipt) => receipt !== undefined)
  const last = known.at(-1)
  if (last === undefined || known.length < receipts.length) return undefined
  const total = (of: (receipt: ChargeReceipt) => number): number => known.reduce((sum, each) => sum + of(each), 0)
  return { ...last, held: total(({ held }) => held), released: total(({ released }) => released) }
}
