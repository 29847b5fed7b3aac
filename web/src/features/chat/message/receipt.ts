import type { Receipt as ChargeReceipt } from '@parley/contracts'
import { formatSeconds } from '../../../shared/format.ts'
import type { Translate } from '../../../shared/i18n/index.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'

/** An answer's cost: credits, tokens and seconds, as far as known. Guests are not charged and see no credits. */
export function receiptOf(t: Translate, locale: string, message: ThreadMessage, guest: boolean): string {
  const { credits, usage, durationMs } = message
  const tokens = usage ? usage.inputTokens + usage.outputTokens : null
  const parts = [
    credits !== null && !guest && t('chat.message.receipt.credits', { count: credits }),
    // Images have no tokens, and those of a failed answer are not charged.
    tokens !== null &&
      tokens > 0 &&
      !isFreeEmptyAnswer(message) &&
      t(usage?.estimated ? 'chat.message.receipt.estimatedTokens' : 'chat.message.receipt.tokens', { count: tokens }),
    durationMs !== null && t('chat.message.receipt.seconds', { seconds: formatSeconds(durationMs, locale) }),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Whether an answer is empty and was free. */
export const isFreeEmptyAnswer = ({ credits, content, attachments }: ThreadMessage): boolean =>
  credits === 0 && content === '' && attachments.length === 0

/** Ids of an answer's generations; just its own unless it was continued. */
export const generationsOf = ({ id, generations }: Pick<ThreadMessage, 'id' | 'generations'>): readonly string[] =>
  generations.length > 0 ? generations.map((generation) => generation.id) : [id ?? '']

/** Adds up the receipts of an answer's generations, with the reason and balance of the last one; undefined until all are loaded. */
export function sumReceipts(receipts: readonly (ChargeReceipt | undefined)[]): ChargeReceipt | undefined {
  const known = receipts.filter((receipt) => receipt !== undefined)
  const last = known.at(-1)
  if (last === undefined || known.length < receipts.length) return undefined
  const total = (of: (receipt: ChargeReceipt) => number): number => known.reduce((sum, each) => sum + of(each), 0)
  return { ...last, held: total(({ held }) => held), released: total(({ released }) => released) }
}
