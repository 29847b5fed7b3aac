/** Whether a name contains every word of a query, in any case and order; a blank query matches all. */
export function matchesWords(name: string, query: string): boolean {
  const text = name.toLocaleLowerCase()
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
