import { isApiError } from '../../shared/api/index.ts'

/** Passes over the refusal of what is gone or decided already: that is what was wanted. Throws any other. */
export function unlessGone(error: unknown): void {
  if (!isApiError(error) || error.status !== 404) throw error
}
