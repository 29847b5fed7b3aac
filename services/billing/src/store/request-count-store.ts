import type { LimitArea, RequestCount } from '@parley/contracts'
import type { RecordedRequests } from '../limits/preview.ts'

/** Limited requests of each subject by minute, of the last eight days. */
export interface RequestCountStore {
  /** Adds counts to those of their minutes, unless they were added under this id before. Those of erased users are left out. */
  add(id: string, counts: readonly RequestCount[]): Promise<void>
  /** Subjects with any request from a moment on. */
  countSubjects(area: LimitArea, from: Date): Promise<number>
  /** Requests from a moment on of those subjects that could be refused any by this limit, by subject and kind, at most `limit` of them, after the one that is named. */
  page(wanted: PageOfRequests): Promise<readonly RecordedRequests[]>
  /** Forgets what is older than eight days. */
  sweep(): Promise<void>
}

/** Which subjects are read. */
export interface PageOfRequests {
  readonly area: LimitArea
  readonly from: Date
  readonly maxRequests: number
  readonly after: Pick<RecordedRequests, 'subject' | 'kind'> | undefined
  readonly limit: number
}
