import type { Send } from './documents.ts'

/** Whether a key was free, and what it stands for. */
export interface Claim {
  readonly claimed: boolean
  readonly send: Send
}

/** What senders' own keys led to. Every act is atomic and on disk when it resolves. */
export interface SendStore {
  /**
   * Claims the send's `clientMessageId` and `idempotencyKey`, as far as it has them, for its owner. Of all who claim one of them exactly one succeeds;
   * the others get the existing one: the send with this `clientMessageId` before the one with this `idempotencyKey`.
   */
  claim(send: Send): Promise<Claim>
  /** The send of an owner's `clientMessageId`; undefined when there is none. */
  find(ownerId: string, clientMessageId: string): Promise<Send | undefined>
  /** Gives the send another answer in place of `failedId`. False when that is not its answer any more. */
  retry(sendId: string, failedId: string, messageId: string): Promise<boolean>
  /** Forgets sends made before `before`; their keys are free again. */
  purge(before: Date): Promise<void>
}
