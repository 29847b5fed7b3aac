import { validationFailed } from '../http/mount.ts'

/** From a time, inclusive, to another, exclusive; undefined is unbounded. */
export interface Span {
  readonly from: Date | undefined
  readonly until: Date | undefined
}

const dayMs = 86_400_000

/** The span of a query: a day as its end is included, a time is not. @throws AppError validation_failed when it ends before it starts */
export function readSpan({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): Span {
  const begin = from === undefined ? undefined : new Date(from)
  const isDay = to?.length === 'YYYY-MM-DD'.length
  const until = to === undefined ? undefined : new Date(Date.parse(to) + (isDay ? dayMs : 0))
  if (begin !== undefined && until !== undefined && (isDay ? begin >= until : begin > until)) throw endsBeforeStart()
  return { from: begin, until }
}

/** A 400 for a period whose end is before its start. */
export const endsBeforeStart = () => validationFailed([{ path: 'from', message: 'Must not be after the end date' }])
