import type { EventOf, mailOutcomes } from '@parley/contracts'
import { notFound } from '@parley/kit'
import type { Caller } from '../caller.ts'
import type { AuthParts } from '../parts.ts'
import { hashToken } from '../secrets.ts'
import type { AuthStores } from '../store/index.ts'

/** Why no mail arrives, in words for the address's owner. The mail server's answer is in notifier's log. */
const problems = {
  refused: 'The mail server of this address refuses our messages. Please check the address, or use another one.',
  undelivered:
    'Our message couldn’t be delivered to this address within a day. Please try again, or use a different one.',
}

/** Keeps what became of a mail with a code, and that one with the link to an export failed; the same outcome twice changes nothing. */
export async function keepMailOutcome(
  { dataExports, verifications }: Pick<AuthStores, 'dataExports' | 'verifications'>,
  { kind, subjectId, outcome, reason }: EventOf<'notifier.mail-settled'>['data'],
): Promise<void> {
  if (kind === 'data-export' && outcome === 'failed') await dataExports.mailFailed(subjectId)
  if (kind !== 'verification') return
  const problem = reason === null ? problems.undelivered : problems.refused
  await verifications.keepMailOutcome(subjectId, outcome, outcome === 'failed' ? problem : null)
}

/** Whether the last mail with a code was delivered, for the browser that waits for it. @throws AppError not_found for every other one */
export async function mailOutcomeFor(
  { cookies, stores }: AuthParts,
  { headers }: Caller,
): Promise<(typeof mailOutcomes)[number]> {
  const token = cookies.pending.read(headers.cookie)
  const outcome = token && (await stores.verifications.mailOutcome(hashToken(token)))
  if (!outcome) throw notFound()
  return outcome
}
