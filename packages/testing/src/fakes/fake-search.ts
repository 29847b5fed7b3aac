import { answerJson, type FakeOutsider, type OutsiderScript, startFakeOutsider } from './fake-outsider.ts'

/** A result in Exa's format. */
export interface FakeFound {
  readonly url: string
  readonly title?: string | null
  readonly text?: string
  readonly publishedDate?: string
  readonly author?: string
  readonly highlights?: readonly string[]
  readonly score?: number
}

/** An HTTP fake of Exa: returns the same pages for every query, unless `script` is replaced. */
export interface FakeSearch extends FakeOutsider {
  found: readonly FakeFound[]
  /** All queries, oldest first. */
  readonly queries: () => readonly string[]
}

/** Starts a fake without results. */
export async function startFakeSearch(): Promise<FakeSearch> {
  const script: OutsiderScript = ({ method, path }, response) => {
    if (method !== 'POST' || path !== '/search') answerJson(response, { error: 'not found' }, 404)
    else answerJson(response, { requestId: 'request', resolvedSearchType: 'neural', results: fake.found })
  }
  const outsider = await startFakeOutsider(script)
  const queries = (): string[] => outsider.calls.map(({ body }) => String(JSON.parse(body).query))
  const fake: FakeSearch = Object.assign(outsider, { found: [], queries })
  return fake
}
