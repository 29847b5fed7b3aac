import type { Send } from './entities.ts'

/** Instead of the id of a send's answer: its chat was purged. */
export const purgedAnswer = 'purged'

/** The keys of a send, each unique among its owner's. */
export type SendKeys = Pick<Send, 'ownerId' | 'clientMessageId' | 'idempotencyKey'>

/** Whether a key was free, and the send that has it. */
export interface Claim {
  readonly claimed: boolean
  readonly send: Send
}

/** The sends made under senders' own keys. Every act is atomic and on disk when it resolves. */
export interface SendStore {
  /**
   * Claims the send's `clientMessageId` and `idempotencyKey`, as far as it has them, for its owner. Of concurrent claims of a key exactly one succeeds;
   * the others get the existing one: the send with this `clientMessageId` before the one with this `idempotencyKey`.
   */
  claim(send: Send): Promise<Claim>
  /** The owner's send under one of these keys, chosen as by `claim`; undefined when there is none. */
  find(keys: SendKeys): Promise<Send | undefined>
  /** Replaces the send's answer `failedId` by another one. False when it has another answer by now. */
  retry(sendId: string, failedId: string, messageId: string): Promise<boolean>
  /** Forgets sends made before `before`; their keys are free again. */
  purge(before: Date): Promise<void>
}
