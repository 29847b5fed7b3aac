/** The number of events in a stream, and their first fault. */
export interface Judgement {
  readonly count: number
  readonly fault?: string
}

/** Checks a whole stream: events are numbered from 1 without a gap, the last but one completes the answer, and `[DONE]` ends the stream. */
export function faultOf(stream: string): Judgement {
  const events = stream
    .split('\n\n')
    .filter((block) => /^data:/m.test(block))
    .map((block) => ({
      id: Number(/^id: ?(\d+)$/m.exec(block)?.[1]),
      data: /^data: ?(.*)$/m.exec(block)?.[1] ?? '',
    }))
  const count = events.length
  const stray = events.find(({ id }, index) => id !== index + 1)
  if (stray !== undefined) return { count, fault: `has event ${stray.id} out of order` }
  const [end, last] = [events.at(-1)?.data, events.at(-2)?.data ?? '']
  if (end !== '[DONE]') return { count, fault: `ends with ${end}` }
  if (!last.startsWith('{"done":true')) return { count, fault: `did not end well: ${last.slice(0, 200)}` }
  return { count }
}
