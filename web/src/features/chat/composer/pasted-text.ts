/** Longer pasted texts, in UTF-16 code units, are not put into the field. */
export const longPaste = 8_000

/** The files of a paste; none if it is text of an office program, which also offers a picture of it. */
export function pastedFiles(pasted: Pick<DataTransfer, 'files' | 'getData'> | null): readonly File[] {
  const isText = pasted?.getData('text/plain') && pasted.getData('text/html')
  return isText ? [] : [...(pasted?.files ?? [])]
}

export const lineCount = (text: string): number => text.split(/\r\n|\r|\n/).length

const fenceOf = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  return '`'.repeat(Math.max(3, longest + 1))
}

/** The message to send: the typed text, then each pasted text as a fenced block with a fence that it cannot close. */
export function withPasted(text: string, pasted: readonly string[]): string {
  const blocks = pasted.map((piece) => {
    const fence = fenceOf(piece)
    return `${fence}\n${piece.replace(/\n$/, '')}\n${fence}`
  })
  return [text.trim() === '' ? '' : text, ...blocks].filter((part) => part !== '').join('\n\n')
}
