import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Characters of output kept, over all processes. */
const keptCharacters = 8_000_000

/** The output of a system's processes by line, prefixed with the process's name. */
export interface Output {
  /** Reads a process's stream until it ends. */
  take(writer: string, stream: Readable): void
  /** The output so far, truncated to the last 8 million characters. */
  text(): string
}

/** @param show called with each line */
export function createOutput(show: (line: string) => void): Output {
  const lines: string[] = []
  let characters = 0
  const keep = (line: string): void => {
    lines.push(line)
    characters += line.length
    while (characters > keptCharacters) characters -= lines.shift()?.length ?? 0
    show(line)
  }
  return {
    take(writer, stream) {
      createInterface({ input: stream }).on('line', (line) => keep(`${writer} | ${line}`))
    },
    text: () => lines.join('\n'),
  }
}
