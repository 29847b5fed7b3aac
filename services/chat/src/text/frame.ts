/** The kind of content that a frame declares. */
export type FrameKind = 'source' | 'file' | 'memories'

/**
 * A text by strangers as a model is given it: in a frame that nothing inside can close, open or imitate.
 * @param about the description on the frame's first line
 */
export function framed(kind: FrameKind, about: Readonly<Record<string, string>>, text: string): string {
  const said = Object.entries(about).map(([name, value]) => ` ${name}="${oneLine(inert(value))}"`)
  return `<${kind}${said.join('')}>\n${inert(text)}\n</${kind}>`
}

/** Escaped, so that it cannot be mistaken for a frame of any kind. */
const inert = (text: string): string => text.replace(/<(\s*\/?\s*)(?=(?:source|file|memories)\b)/gi, '‹$1')

const oneLine = (text: string): string => text.replaceAll('"', "'").replace(/\s+/g, ' ')
