/** What an event's number means to a reader that has seen all up to `last`. */
export type SequenceVerdict = 'next' | 'duplicate' | 'gap'

/** Events are numbered from 1 without gaps, so a repeat is dropped and a jump means that something was lost on the way. */
export function judgeSequence(last: number, seq: number): SequenceVerdict {
  if (seq <= last) return 'duplicate'
  return seq === last + 1 ? 'next' : 'gap'
}

/** The number in an event's `id:` field; one without a usable number counts as the next. */
export function readSequence(id: string | undefined, last: number): number {
  const seq = Number(id)
  return id && Number.isSafeInteger(seq) && seq > 0 ? seq : last + 1
}
