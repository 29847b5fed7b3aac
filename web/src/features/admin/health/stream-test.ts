/** What came of a test stream: milliseconds between its first and its last event as they arrived, and as they were sent. */
export interface StreamTest {
  readonly arrivedMs: number
  readonly sentMs: number
}

/** True when events came together that were sent apart: something on the way keeps streams back. */
export const isBuffered = ({ arrivedMs, sentMs }: StreamTest): boolean => arrivedMs < sentMs / 2

/**
 * Reads a stream of events, each with the milliseconds since its begin, and notes when they arrive. `now` is a clock of this page.
 * @throws Error when it ends before its second event
 */
export async function readStreamTest(body: ReadableStream<Uint8Array>, now: () => number): Promise<StreamTest> {
  const arrivals: { at: number; sent: number }[] = []
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (text + decoder.decode(piece.value, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data: ')) arrivals.push({ at: now(), sent: Number(line.slice('data: '.length)) })
    }
  }
  const [first, last] = [arrivals[0], arrivals.at(-1)]
  if (first === undefined || last === undefined || first === last) throw new Error('The stream ended early')
  return { arrivedMs: last.at - first.at, sentMs: last.sent - first.sent }
}
