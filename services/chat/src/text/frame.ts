/** What a frame says it holds. */
export type FrameKind = 'source' | 'file' | 'memories'

/**
 * A text by strangers as a model is given it: in a frame that nothing inside can close, open or imitate.
 * @param about what is said of it, in the frame's first line
 */
export function framed(kind: FrameKind, about: Readonly<Record<string, string>>, text: string): string {
  const said = Object.entries(about).map(([name, value]) => ` ${name}="${oneLine(inert(value))}"`)
  return `<${kind}${said.join('')}>\n${inert(text)}\n</${kind}>`
}

/** As it cannot be taken for a frame of any kind. */
const inert = (text: string): string => text.replace(/<(\s*\/?\s*)(?=(?:source|file|memories)\b)/gi, '‹$1')

const oneLine = (text: string): string => text.replaceAll('"', "'").replace(/\s+/g, ' ')
