/** A stretch of a text: code, which must not change, or prose. */
export interface Stretch {
  readonly code: boolean
  readonly text: string
}

/** Told how many characters were looked at, so that the work can be counted. */
export type Examined = (characters: number) => void

const fenceStart = /^ {0,3}(`{3,}|~{3,})/
const indented = /^(?: {4}|\t)/

/** Splits Markdown into code (fenced, indented or inline) and prose; joined again they are the text. Work is linear in its length. */
export function splitCode(text: string, examined: Examined): Stretch[] {
  return splitLines(text, examined).flatMap((stretch) =>
    stretch.code ? [stretch] : splitInline(stretch.text, examined),
  )
}

function splitLines(text: string, examined: Examined): Stretch[] {
  const stretches: { code: boolean; lines: string[] }[] = []
  let fence: string | undefined
  for (const line of text.split(/(?<=\n)/)) {
    examined(line.length)
    const mark = fenceStart.exec(line)?.[1]
    const code = fence !== undefined || mark !== undefined || indented.test(line)
    if (fence === undefined) fence = mark
    else if (closes(line, mark, fence)) fence = undefined
    const last = stretches.at(-1)
    if (last?.code === code) last.lines.push(line)
    else stretches.push({ code, lines: [line] })
  }
  return stretches.map(({ code, lines }) => ({ code, text: lines.join('') }))
}

const closes = (line: string, mark: string | undefined, fence: string): boolean =>
  mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark

function splitInline(text: string, examined: Examined): Stretch[] {
  examined(text.length)
  const runs = [...text.matchAll(/`+/g)]
  const partner = partners(runs.map(([run]) => run.length))
  const stretches: Stretch[] = []
  let at = 0
  for (let index = 0; index < runs.length; index += 1) {
    const closing = runs[partner[index] ?? -1]
    const opening = runs[index]
    if (closing === undefined || opening === undefined) continue
    const end = closing.index + closing[0].length
    stretches.push(
      { code: false, text: text.slice(at, opening.index) },
      { code: true, text: text.slice(opening.index, end) },
    )
    at = end
    index = partner[index] ?? index
  }
  stretches.push({ code: false, text: text.slice(at) })
  return stretches.filter(({ text }) => text !== '')
}

/** For each run of backticks the next one of the same length; one pass from the end, since looking ahead from each would be quadratic. */
function partners(lengths: readonly number[]): (number | undefined)[] {
  const next = new Map<number, number>()
  const found: (number | undefined)[] = new Array(lengths.length)
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0
    found[index] = next.get(length)
    next.set(length, index)
  }
  return found
}
