/** UTF-16 units from which on a pasted text is kept apart from what is being written. */
export const longPaste = 8_000

/** The lines of a text. */
export const lineCount = (text: string): number => text.split(/\r\n|\r|\n/).length

const fenceOf = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  return '`'.repeat(Math.max(3, longest + 1))
}

/** The message that is sent: what was written, and below it each pasted text as a block that nothing inside of it can end. */
export function withPasted(text: string, pasted: readonly string[]): string {
  const blocks = pasted.map((piece) => {
    const fence = fenceOf(piece)
    return `${fence}\n${piece.replace(/\n$/, '')}\n${fence}`
  })
  return [text.trim() === '' ? '' : text, ...blocks].filter((part) => part !== '').join('\n\n')
}
