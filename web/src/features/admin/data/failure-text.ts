import { isApiError, messageOf } from '../../../shared/api/index.ts'
import type { Translate } from '../../../shared/i18n/index.ts'

/** Why something failed: sign-in that ran out in its own words, else the server's, else `fallback`. */
export const failureText = (error: unknown, fallback: string, t: Translate): string => {
  if (isApiError(error) && error.status === 401) return t('admin.signInAgain')
  const said = messageOf(error, '')
  return said === '' || said === fallback ? fallback : `${fallback}: ${said}`
}
