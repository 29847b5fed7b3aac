import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

type Attack = Extract<RequirementId, `hostile.${string}`>

/** Tests of attacks from outside. */
export const attacks: Coverage<Attack> = {
  'hostile.packed': [
    'tests/security/test/bodies.test.ts › packed by %s is refused by every route with 415, before it is unpacked',
  ],
  'hostile.json': [
    'tests/security/test/bodies.test.ts › deeper than its route accepts is refused by every route with 400, before it is parsed',
    'tests/security/test/bodies.test.ts › with more values than its route needs is refused by every route with 400, before it is parsed',
    'tests/security/test/bodies.test.ts › of any kind leaves the process below 400 MB',
  ],
  'hostile.slow': [
    'tests/security/test/bodies.test.ts › that stalls is refused by every route with 408, and its connection is closed',
    'tests/security/test/bodies.test.ts › slow $what of four accounts do not block those of a fifth',
    'services/chat/src/routes/body-slots.test.ts › slow bodies free their slots for others, and are accepted once they have been received',
    'services/llm-router/test/api-bad-input.test.ts › that stalls is refused by every route with 408 in the format of its dialect, without a hold or a call',
  ],
  'hostile.import': ['tests/security/test/bodies.test.ts › the largest allowed import does not delay a later request'],
  'hostile.host': [
    'tests/security/test/strangers.test.ts › cannot read the %s: its host is refused with 421',
    'tests/security/test/strangers.test.ts › cannot call the %s from its own origin: refused with 403',
    'tests/security/test/strangers.test.ts › the %s answers under every local host name and every configured one',
    'tests/security/test/strangers.test.ts › a health probe to a replica’s own address is answered',
    'packages/kit/test/own-addresses.test.ts › treats the host %s as %s',
  ],
  'hostile.sockets': [
    'services/realtime/test/handshake.test.ts › that never arrives terminates its connection, even if the client does not acknowledge the close',
    'services/realtime/test/handshake.test.ts › pending on too many connections of one network terminates the oldest of them',
    'services/realtime/test/handshake.test.ts › pending on the maximum of connections in each of two networks terminates none of them',
    'tests/security/test/strangers.test.ts › sockets that never sign in are terminated even if their client does not answer, while users can sign in',
  ],
}
