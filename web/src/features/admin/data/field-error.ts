import type { FieldError } from 'react-hook-form'
import type { MessageId, Translate } from '../../../shared/i18n/index.ts'

/** An error of our own at a field: its id, so that its text follows a change of the language. */
export const ownError = (id: MessageId) => ({ type: 'own', message: id })

/** The text of an error at a field: our own, or the server's. */
export const fieldErrorText = (error: FieldError | undefined, t: Translate): string | undefined =>
  error?.type === 'own' ? t(error.message as MessageId) : error?.message
