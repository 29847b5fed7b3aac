import type { Readable } from 'node:stream'
import { type CompletionLine, completionLineSchema } from '@parley/contracts'

/** A line longer than this is no line of a completion; UTF-16 units. */
const maxLineLength = 4 * 1024 * 1024

/** A completion that does not follow its contract. */
export class BrokenCompletion extends Error {
  override readonly name = 'BrokenCompletion'
}

/**
 * The lines of a completion's answer as they come.
 * @param silenceMs longest wait for anything, signs of life included
 * @throws BrokenCompletion for a line that is none, and when nothing comes for `silenceMs`
 */
export async function* completionLines(body: Readable, silenceMs: number): AsyncGenerator<CompletionLine> {
  const silence = setTimeout(() => body.destroy(new BrokenCompletion('Nothing came for too long')), silenceMs)
  body.setEncoding('utf8')
  let rest = ''
  try {
    for await (const text of body as AsyncIterable<string>) {
      silence.refresh()
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > maxLineLength) throw new BrokenCompletion('A line is too long')
      for (const line of lines) if (line !== '') yield parseLine(line)
    }
  } finally {
    clearTimeout(silence)
    body.destroy()
  }
}

function parseLine(line: string): CompletionLine {
  try {
    return completionLineSchema.parse(JSON.parse(line))
  } catch (error) {
    throw new BrokenCompletion('Not a line of a completion', { cause: error })
  }
}
