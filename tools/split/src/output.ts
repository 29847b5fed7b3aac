import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Characters that are kept of what all processes wrote. */
const keptCharacters = 8_000_000

/** What the processes of a system write, line by line with the writer's name before it. */
export interface Output {
  /** Takes a process's stream until it ends. */
  take(writer: string, stream: Readable): void
  /** Everything so far; the oldest goes first when it is more than 8 million characters. */
  text(): string
}

/** @param show is handed each line as it comes */
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
