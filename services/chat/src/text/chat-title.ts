const titleLength = 50

/** A chat's title from its first message: the first 50 characters (code points), white space collapsed, and `…` when there were more. */
export function chatTitle(message: string): string {
  // Only the beginning is considered.
  const characters = [...message.trim().slice(0, 4_000).replace(/\s+/g, ' ')]
  if (characters.length <= titleLength) return characters.join('').toWellFormed()
  return `${characters.slice(0, titleLength).join('').trimEnd()}…`
}
