/** Result of a test stream: milliseconds between its first and last event, by arrival and by sending. */
export interface StreamTest {
  readonly arrivedMs: number
  readonly sentMs: number
}

/** Whether events arrived together that were sent apart: a proxy buffers streams. */
export const isBuffered = ({ arrivedMs, sentMs }: StreamTest): boolean => arrivedMs < sentMs / 2

/**
 * Reads a stream of events, each with the milliseconds since the start, and records when they arrive. `now` is the page's clock.
 * @throws Error if the stream ends before its second event
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
