import type { Event } from '@parley/contracts'
import type { Chat, Ending, Generation, NewGeneration, Progress, StopReason, UserMessage } from './documents.ts'

/** The right to make one answer, held by one replica for a time that it keeps extending. */
export interface Lease {
  readonly owner: string
  /** Milliseconds from now by the store's own clock. */
  readonly ms: number
}

/** Which answers: one of an owner's, all of some chats, or all of an owner begun up to a time. */
export type GenerationSelection =
  | { readonly id: string; readonly ownerId: string }
  | { readonly chatIds: readonly string[] }
  | { readonly ownerId: string; readonly until: Date }

/** What an answer in a chat is begun with. */
export interface Turn {
  /** Kept with it, unless there is one with its id. */
  readonly newChat?: Chat | undefined
  /** The question, kept with it, unless there is one with its id. */
  readonly message?: UserMessage | undefined
  /** The message that has to be the chat's newest for the question to be kept; null for none. Left out, it may be any. */
  readonly follows?: string | null | undefined
}

/**
 * `begun`; or, with nothing changed: `exists` when there is an answer, or a generation of one, with this id, `gone` when there is no such chat, `busy` when
 * an answer of the chat is generating, `moved` when the question would follow what is not the newest message any more, or an answer is to be continued that
 * is not, or that has been continued since.
 */
export type Begun = 'begun' | 'exists' | 'gone' | 'busy' | 'moved'

/**
 * Answers being made. One document holds an answer, its lease and its event, so that each act is one atomic change of one document,
 * on disk when it resolves. Of all who try to end an answer exactly one succeeds.
 */
export interface GenerationStore {
  /**
   * Begins an answer as `generating`. With a turn it is one of a chat, which has one answer generating at a time; a guest's has no chat. A generation that
   * continues an answer begins in its document, which keeps its text; that of a chat has to be the last message shown.
   */
  begin(generation: NewGeneration, lease: Lease, turn?: Turn): Promise<Begun>
  /**
   * By its message's id or that of one of its generations; of an earlier one of these, with the ending which that had. Undefined when there is none, or it
   * is another owner's.
   */
  find(id: string, ownerId: string): Promise<Generation | undefined>
  /**
   * Extends the lease and saves what has come (nothing but the lease without `progress`).
   * Resolves to undefined, with nothing changed, when the answer has ended or the lease is somebody else's; else to whether a stop was asked for.
   */
  checkpoint(id: string, lease: Lease, progress?: Progress): Promise<{ readonly stop: StopReason | null } | undefined>
  /**
   * Ends an answer: its last text, its ending and the event, which will be published, in one. A guest's settlement is open from then on.
   * Resolves to false, with nothing changed, unless the answer was generating under this owner's lease.
   */
  finish(id: string, leaseOwner: string, progress: Progress, ending: Ending, event: Event | undefined): Promise<boolean>
  /** Closes the settlement and corrects the credits that the ending tells. Nothing, once a later generation than `generationId` was begun. */
  noteSettled(id: string, credits: Ending['credits'], generationId?: string): Promise<void>
  /** Marks the selected answers that are generating; the first reason stands. Resolves to the ids of all of them. */
  requestStop(selection: GenerationSelection, reason: StopReason): Promise<readonly string[]>
}

/** What has to be put right after a replica died. */
export interface AbandonedStore {
  /** The lease's owner lives for its time: nobody else is given its answers, even if their own leases run out because the store is slow. */
  keepAlive(lease: Lease): Promise<void>
  /** Lets the lease of every answer that is generating, and of every owner, run out at once: for a process that knows that no other one uses the store. */
  endLeases(): Promise<void>
  /** Gives one answer whose lease has run out, and whose owner is the new one itself or does not live, to a new owner, to no other one at the same time. Undefined when there is none. */
  takeOver(lease: Lease): Promise<Generation | undefined>
  /** Guests' answers that ended before `before` was reached and whose allowance is not settled; at most 100. */
  unsettled(before: Date): Promise<readonly Generation[]>
  /** Forgets guests' answers that expired before `now`, except those generating or not settled, and owners that died. */
  purgeExpired(now: Date): Promise<void>
}
