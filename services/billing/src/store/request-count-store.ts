import type { LimitArea, RequestCount } from '@parley/contracts'
import type { RecordedRequests } from '../limits/preview.ts'

/** Limited requests of each subject by minute, for the last eight days. */
export interface RequestCountStore {
  /** Adds counts to those of their minutes, once per id. Erased users are skipped. */
  add(id: string, counts: readonly RequestCount[]): Promise<void>
  /** Number of subjects with a request since a moment. */
  countSubjects(area: LimitArea, from: Date): Promise<number>
  /** Requests since a moment of the subjects that this limit could have refused, by subject and kind, paged by `limit` and the last subject. */
  page(wanted: PageOfRequests): Promise<readonly RecordedRequests[]>
  /** Deletes data older than eight days. */
  sweep(): Promise<void>
}

/** The subjects to read. */
export interface PageOfRequests {
  readonly area: LimitArea
  readonly from: Date
  readonly maxRequests: number
  readonly after: Pick<RecordedRequests, 'subject' | 'kind'> | undefined
  readonly limit: number
}
