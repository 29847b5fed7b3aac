/** The meaning of an event's number for a reader that has read up to `last`. */
export type SequenceVerdict = 'next' | 'duplicate' | 'gap'

/** Events are numbered from 1 without gaps, so a repetition is dropped and a jump means that events were lost. */
export function judgeSequence(last: number, seq: number): SequenceVerdict {
  if (seq <= last) return 'duplicate'
  return seq === last + 1 ? 'next' : 'gap'
}

/** The number in an event's `id:` field; an event without a valid number counts as the next. */
export function readSequence(id: string | undefined, last: number): number {
  const seq = Number(id)
  return id && Number.isSafeInteger(seq) && seq > 0 ? seq : last + 1
}
