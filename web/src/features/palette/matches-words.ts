/** Whether a name has every word of a query in it, in any case and order; a blank query matches all. */
export function matchesWords(name: string, query: string): boolean {
  const text = name.toLocaleLowerCase()
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
