import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Names of a list's filters, its order and its page in the address, with their values; absent is empty. */
export type UrlState<Name extends string> = Readonly<Record<Name, string>>

/**
 * What a list shows, kept in the address: it survives a reload, can be sent to somebody, and goes back and forth with the browser. A change of
 * a filter leads back to the first page; typing replaces the entry of the history, in which nobody wants every letter.
 */
export function useUrlState<Name extends string>(
  names: readonly Name[],
): [UrlState<Name>, (change: Partial<Record<Name, string>>, options?: { replace?: boolean }) => void] {
  const [search, setSearch] = useSearchParams()
  const state = Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as UrlState<Name>
  const set = useCallback(
    (change: Partial<Record<Name, string>>, options: { replace?: boolean } = {}) =>
      setSearch((before) => changeSearch(before, change), { replace: options.replace ?? false }),
    [setSearch],
  )
  return [state, set]
}

/** The parameters with a change made; empty values go, and so does the page unless the change is about it. */
export function changeSearch(before: URLSearchParams, change: Readonly<Record<string, string | undefined>>) {
  const after = new URLSearchParams(before)
  after.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') after.delete(name)
    else after.set(name, value)
  }
  return after
}
