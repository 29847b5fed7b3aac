import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'

/** The filters, order and page of a list as URL parameters; a missing parameter is empty. */
export type UrlState<Name extends string> = Readonly<Record<Name, string>>

/** The state of a list in a URL. */
export const readUrlState = <Name extends string>(names: readonly Name[], search: URLSearchParams): UrlState<Name> =>
  Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as UrlState<Name>

/**
 * The state of a list in the URL, so that it survives a reload, can be shared, and follows back and forward. Changing a filter
 * returns to the first page; typing replaces the history entry instead of adding one for each letter.
 */
export function useUrlState<Name extends string>(
  names: readonly Name[],
): [UrlState<Name>, (change: Partial<Record<Name, string>>, options?: { replace?: boolean }) => void] {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const state = readUrlState(names, search)
  const set = useCallback(
    (change: Partial<Record<Name, string>>, options: { replace?: boolean } = {}) => {
      // The URL is ahead of the rendered parameters while a search that has just begun is not drawn yet.
      const after = changeSearch(new URLSearchParams(window.location.search), change)
      navigate({ search: String(after) }, { replace: options.replace ?? false })
    },
    [navigate],
  )
  return [state, set]
}

/** The parameters after a change; empty values are removed, and so is the page unless it was changed. */
export function changeSearch(before: URLSearchParams, change: Readonly<Record<string, string | undefined>>) {
  const after = new URLSearchParams(before)
  after.delete('page')
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') after.delete(name)
    else after.set(name, value)
  }
  return after
}
