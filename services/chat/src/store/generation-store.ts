import type { Event } from '@parley/contracts'
import type { Chat, Ending, Generation, NewGeneration, Progress, StopReason, UserMessage } from './entities.ts'

/** The right to make one answer, held by one replica for a time that it keeps extending. */
export interface Lease {
  readonly owner: string
  /** Milliseconds from now by the store's own clock. */
  readonly ms: number
}

/** A selection of answers: one of an owner's, all of some chats, or all of an owner that began up to a time. */
export type GenerationSelection =
  | { readonly id: string; readonly ownerId: string }
  | { readonly chatIds: readonly string[] }
  | { readonly ownerId: string; readonly until: Date }

/** The chat and the question that an answer begins with. */
export interface Turn {
  /** Stored with the answer, unless the id is taken. */
  readonly newChat?: Chat | undefined
  /** The question, stored with the answer, unless the id is taken. */
  readonly message?: UserMessage | undefined
  /** The message that must be the chat's newest for the question to be stored; null for none, undefined for no condition. */
  readonly follows?: string | null | undefined
}

/**
 * `begun`; or, with nothing changed: `exists` when an answer, or a generation of one, has this id, `gone` when there is no such chat, `busy` when
 * an answer of the chat is generating, `moved` when the question would not follow the newest message, or the answer to be continued is not the newest one
 * or has been continued since.
 */
export type Begun = 'begun' | 'exists' | 'gone' | 'busy' | 'moved'

/**
 * Answers being made. One document holds an answer, its lease and its event, so that each act is one atomic change of one document,
 * on disk when it resolves. Of concurrent attempts to end an answer exactly one succeeds.
 */
export interface GenerationStore {
  /**
   * Begins an answer as `generating`. With a turn it belongs to a chat, which has at most one generating answer; a guest's has no chat. A generation that
   * continues an answer begins in that answer's document, which keeps its text; in a chat it must be the last message shown.
   */
  begin(generation: NewGeneration, lease: Lease, turn?: Turn): Promise<Begun>
  /**
   * Finds an answer by its message's id or that of any of its generations; for an earlier generation, with that one's ending. Undefined when there is none, or
   * when it belongs to another owner.
   */
  find(id: string, ownerId: string): Promise<Generation | undefined>
  /**
   * Extends the lease and saves the progress, if any is given.
   * Resolves to undefined, with nothing changed, when the answer has ended or another owner has the lease; else to whether a stop was requested.
   */
  checkpoint(id: string, lease: Lease, progress?: Progress): Promise<{ readonly stop: StopReason | null } | undefined>
  /**
   * Ends an answer: its final text, its ending and the event to publish, in one act. A guest's settlement is open from then on.
   * Resolves to false, with nothing changed, unless the answer was generating under this owner's lease.
   */
  finish(id: string, leaseOwner: string, progress: Progress, ending: Ending, event: Event | undefined): Promise<boolean>
  /** Closes the settlement and corrects the credits of the ending. Does nothing once a later generation than `generationId` has begun. */
  noteSettled(id: string, credits: Ending['credits'], generationId?: string): Promise<void>
  /** Requests a stop of the selected answers that are generating; the first reason is kept. Resolves to the ids of all of them. */
  requestStop(selection: GenerationSelection, reason: StopReason): Promise<readonly string[]>
}

/** The most unsettled answers that are read at once. */
export const unsettledAtOnce = 100

/** Repairs after a replica died. */
export interface AbandonedStore {
  /** Declares the lease's owner alive for its time: nobody else takes over its answers, even if their own leases run out because the store is slow. */
  keepAlive(lease: Lease): Promise<void>
  /** Expires the leases of all generating answers and of all owners at once: for a process that knows that no other one uses the store. */
  endLeases(): Promise<void>
  /** Takes over one answer whose lease has run out and whose owner is dead, or is the new owner itself; never the same one twice at a time. Undefined for none. */
  takeOver(lease: Lease): Promise<Generation | undefined>
  /** Guests' answers that ended before `before` and whose allowance is not settled; at most `unsettledAtOnce`. */
  unsettled(before: Date): Promise<readonly Generation[]>
  /** Forgets guests' answers that expired before `now`, except those generating or not settled, and owners that died. */
  purgeExpired(now: Date): Promise<void>
}
