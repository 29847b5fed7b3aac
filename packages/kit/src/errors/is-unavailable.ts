import { isAppError } from './app-error.ts'
import { isEngineRefusing, isEngineUnavailable } from './engine-unavailable.ts'

/** True for a failure of a dependency, which another try may find gone: a service or an engine is unavailable, or the engine refuses us. */
export const isUnavailable = (error: unknown): boolean =>
  isAppError(error, 'unavailable') || isEngineUnavailable(error) || isEngineRefusing(error)
