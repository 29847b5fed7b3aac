/** Maximum bytes of one event; no answer has a longer one. */
const longestEvent = 8 * 1024 * 1024
const [lf, cr] = [0x0a, 0x0d]

/** Cuts a byte stream after complete events, so that nothing is passed on before it is understood. Starts empty. */
export function createEventCutter() {
  let kept: Buffer = Buffer.alloc(0)
  return {
    /** The bytes up to the end of the last complete event, unchanged; may be empty. @throws Error for an oversized event */
    push(chunk: Buffer): Buffer {
      const from = Math.max(0, kept.length - 3)
      const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
      const end = endOfLastEvent(bytes, from)
      kept = bytes.subarray(end)
      if (kept.length > longestEvent) throw new Error('An event is too long')
      return bytes.subarray(0, end)
    },
    /** The bytes after the last complete event. */
    rest: (): Buffer => kept,
  }
}

/** The end of the last blank line, which terminates an event; 0 if there is none from `from` on. */
function endOfLastEvent(bytes: Buffer, from: number): number {
  for (let at = bytes.lastIndexOf(lf); at > from; at = bytes.lastIndexOf(lf, at - 1)) {
    if (endsBlankLine(bytes, at)) return at + 1
  }
  return 0
}

/** True for a line feed that directly follows another line ending. */
const endsBlankLine = (bytes: Buffer, at: number): boolean =>
  bytes[at - 1] === lf || (bytes[at - 1] === cr && bytes[at - 2] === lf)

/** Splits complete events, byte for byte. */
export function splitEvents(bytes: Buffer): Buffer[] {
  const events: Buffer[] = []
  let start = 0
  for (let at = bytes.indexOf(lf); at !== -1; at = bytes.indexOf(lf, at + 1)) {
    if (at <= start || !endsBlankLine(bytes, at)) continue
    events.push(bytes.subarray(start, at + 1))
    start = at + 1
  }
  if (start < bytes.length) events.push(bytes.subarray(start))
  return events
}

/** The text of an event's `data` lines; empty for a comment. */
export const dataOf = (event: Buffer): string =>
  event
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n')
