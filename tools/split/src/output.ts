import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Characters of output kept, over all processes. */
const keptCharacters = 8_000_000

/** The output of a system's processes by line, prefixed with the process's name. @param show called with each line */
export function createOutput(show: (line: string) => void) {
  const lines: string[] = []
  let characters = 0
  const keep = (line: string): void => {
    lines.push(line)
    characters += line.length
    while (characters > keptCharacters) characters -= lines.shift()?.length ?? 0
    show(line)
  }
  return {
    /** Reads a process's stream until it ends. */
    take(writer: string, stream: Readable): void {
      createInterface({ input: stream }).on('line', (line) => keep(`${writer} | ${line}`))
    },
    /** The output so far, truncated to the last 8 million characters. */
    text: () => lines.join('\n'),
  }
}

/** Output by line. */
export type Output = ReturnType<typeof createOutput>
