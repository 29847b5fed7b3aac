import { useLocation, useNavigate } from 'react-router-dom'
import { changeSearch } from '../data/use-url-state.ts'
import { StepPager } from './step-pager.tsx'

/** State of the history entry: the cursors of the pages up to this one. */
const trailOf = (state: unknown): readonly string[] =>
  typeof state === 'object' && state !== null && 'trail' in state && Array.isArray(state.trail) ? state.trail : []

/** Pages of a list by a cursor in the URL, so that back and forward, a reload and a shared link show the same page. */
export function Pager({ nextCursor }: { nextCursor: string | null }) {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const params = new URLSearchParams(search)
  const page = params.get('page')
  const known = trailOf(state)
  const trail = page === null ? [] : known.at(-1) === page ? known : [page]
  const go = (next: readonly string[]) =>
    navigate({ search: String(changeSearch(params, { page: next.at(-1) })) }, { state: { trail: next } })
  return <StepPager trail={trail} nextCursor={nextCursor} onStep={go} />
}
