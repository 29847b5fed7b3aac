import { isApiError } from '../../shared/api/index.ts'

/** Ignores the refusal for something already removed or decided, because that was the goal. Throws any other. */
export function unlessGone(error: unknown): void {
  if (!isApiError(error) || error.status !== 404) throw error
}
