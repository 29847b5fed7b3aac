import type { Readable } from 'node:stream'
import { type CompletionLine, completionLineSchema } from '@parley/contracts'

/** A line longer than this is no line of a completion; UTF-16 units. */
const maxLineLength = 4 * 1024 * 1024

/** A completion that does not follow its contract. */
export class BrokenCompletion extends Error {
  override readonly name = 'BrokenCompletion'
}

/**
 * The lines of a completion's answer as they come, those together that come together.
 * @param silenceMs longest wait for anything, signs of life included
 * @throws BrokenCompletion for a line that is none, and when nothing comes for `silenceMs`
 */
export async function* completionLines(body: Readable, silenceMs: number): AsyncGenerator<readonly CompletionLine[]> {
  const silence = setTimeout(() => body.destroy(new BrokenCompletion('Nothing came for too long')), silenceMs)
  body.setEncoding('utf8')
  let rest = ''
  try {
    for await (const text of body as AsyncIterable<string>) {
      silence.refresh()
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > maxLineLength) throw new BrokenCompletion('A line is too long')
      const { parsed, failure } = parseLines(lines)
      if (parsed.length > 0) yield parsed
      if (failure !== undefined) throw failure
    }
  } finally {
    clearTimeout(silence)
    body.destroy()
  }
}

/** Lines before a faulty one still count. */
function parseLines(lines: readonly string[]): { parsed: CompletionLine[]; failure?: BrokenCompletion } {
  const parsed: CompletionLine[] = []
  try {
    for (const line of lines) if (line !== '') parsed.push(parseLine(JSON.parse(line)))
    return { parsed }
  } catch (error) {
    return { parsed, failure: new BrokenCompletion('Not a line of a completion', { cause: error }) }
  }
}

function parseLine(line: Partial<Record<'type' | 'text', unknown>> | null): CompletionLine {
  // Nearly all lines are pieces of text: these are not worth the whole schema.
  const { type, text } = line ?? {}
  if ((type === 'text' || type === 'reasoning') && typeof text === 'string') return { type, text }
  return completionLineSchema.parse(line)
}
