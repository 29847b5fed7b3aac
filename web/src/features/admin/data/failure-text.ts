import { isApiError, messageOf } from '../../../shared/api/index.ts'
import type { Translate } from '../../../shared/i18n/index.ts'

/** The text of an error: a notice if the session has expired, else the server's message, else `fallback`. */
export const failureText = (error: unknown, fallback: string, t: Translate): string => {
  if (isApiError(error) && error.status === 401) return t('admin.signInAgain')
  const said = messageOf(error, '')
  return said === '' || said === fallback ? fallback : t('admin.failure', { failed: fallback, reason: said })
}
