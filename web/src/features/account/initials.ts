/** Up to two letters for an avatar: the first letters of a name's first and last part, or the first two letters. */
export function initialsOf(name: string): string {
  const parts = name.split(/[\s._-]+/).filter(Boolean)
  const letters =
    parts.length > 1 ? [parts[0], parts.at(-1)].map((part) => [...(part ?? '')][0]) : [...name].slice(0, 2)
  return letters.join('').toLocaleUpperCase()
}
