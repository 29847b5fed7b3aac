import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** The tests of the calls between browser and server. */
export const calls = {
  'call.timeout': ['web/src/shared/api/limits.test.ts › a call has 15 s, and a stream as long as it says'],
  'call.headers': [
    'web/src/shared/api/http.test.ts › of a guest carries the guest id and keeps the one that is given',
    'web/src/shared/api/http.test.ts › with an expired token is repeated once with a new one, and many share one refresh',
  ],
  'call.login': ['services/auth/test/sign-in.test.ts › takes a username as %s, whatever its case'],
  'call.register': [
    'services/auth/test/registration.test.ts › makes an account without rights and no session before the address is confirmed',
  ],
  'call.logout': ['services/auth/test/sessions.test.ts › ends the session and tells every replica'],
  'call.verify-email': ['services/auth/test/verification.test.ts › confirms the address once and signs the browser in'],
  'call.resend-verification': [
    'services/auth/test/verification.test.ts › answers alike for everybody, and sends once a minute to whoever may ask',
  ],
  'call.update-email': [
    'services/auth/test/email-change.test.ts › lets the browser that registered correct the address, and ends the code sent to the wrong one',
  ],
  'call.auth-config': [
    'services/auth/test/single-sign-on.test.ts › is offered under its name where there is a provider, and only there',
  ],
  'call.refresh': [
    'services/auth/test/sessions.test.ts › gives a new access token of the same session and rotates the cookie',
  ],
  'call.jwks': ['services/auth/test/signing-keys.test.ts › lets verifiers go on with both keys, those of long ago too'],
  'call.password-reset-request': [
    'services/auth/test/password-reset.test.ts › is answered alike for everybody, and told to notifier without address or token',
  ],
  'call.password-reset-confirm': [
    'services/auth/test/password-reset.test.ts › sets the password once, ends every session and what waits for a code, and has the owner told',
    'services/auth/test/password-reset.test.ts › is dead 30 minutes after it was made, by the clock of the database',
  ],
  'call.oauth-start': [
    'services/auth/test/single-sign-on.test.ts › sends people to the provider with PKCE, state and nonce, in a cookie that only their browser has',
  ],
  'call.oauth-callback': [
    'services/auth/test/single-sign-on.test.ts › makes an account without a password the first time',
    'services/auth/test/single-sign-on.test.ts › knows people again by issuer and subject, whatever their name and address have become',
    'tests/e2e/test/single-sign-on.test.ts › leads through the gateway to the provider and back into a session',
  ],
  'call.oauth-link': [
    'services/auth/test/single-sign-on.test.ts › is not enough, though the provider says verified: %j',
    'services/auth/test/single-sign-on.test.ts › is linked by the password of the account, and both ways lead in then',
  ],
  'call.change-password': [
    'services/auth/test/password-change.test.ts › keeps this session, ends the others at once and has the owner told',
  ],
  'call.sessions': ['services/auth/test/sessions.test.ts › are listed and ended one by one'],
  'call.end-session': [
    'services/auth/test/password-change.test.ts › ends every session but this one, and says how many',
    'services/all-in-one/test/security-endings.test.ts › %s ends token, cookie, socket and answer on every replica',
  ],
  'call.data-export': [
    'services/auth/test/data-export.test.ts › is accepted once of 20 requests at once, and the others learn how long they have to wait',
    'services/auth/test/data-export.test.ts › holds what every service brought and the account, and no secret',
  ],
  'call.profile': ['services/auth/test/sessions.test.ts › changes what is sent and keeps the rest'],
  'call.delete-account': [
    'services/auth/test/erasure.test.ts › takes the password, counts wrong ones, and leaves all as it is when it is refused',
    'services/all-in-one/test/erasure.test.ts › of a deleted account nothing is left in any table',
  ],
  'call.admin-users': ['services/auth/test/admin.test.ts › finds parts of names and addresses, literally'],
  'call.admin-stats': ['services/auth/test/admin.test.ts › is counted'],
  'call.admin-settings': ['services/auth/test/settings.test.ts › are merged deeply, versioned, signalled and audited'],
  'call.admin-user': [
    'services/auth/test/admin.test.ts › takes effect at the next question, keeps sign-in and profile, and refuses to refresh',
    'services/auth/test/admin.test.ts › only the super admin makes and unmakes admins',
  ],
  'call.admin-audit': ['services/auth/test/settings.test.ts › are merged deeply, versioned, signalled and audited'],
  'call.admin-cache': ['services/all-in-one/test/administration.test.ts › has every service forget its copies'],
  'call.admin-sign-out': [
    'services/auth/test/sign-out-by-admins.test.ts › signs a user out everywhere, at once and on record',
  ],
  'call.hierarchy': [
    'services/llm-router/test/registry.test.ts › holds groups of providers, notices and prices, and nothing secret',
  ],
  'call.history': ['services/chat/test/chats.test.ts › is a plain array, the chat written to last first'],
  'call.create': ['services/chat/test/chats.test.ts › is made empty, renamed and pinned'],
  'call.chat': ['services/chat/test/chats.test.ts › is read in pages from its end'],
  'call.delete': ['services/chat/test/chats.test.ts › hides a chat at once and can be undone for a while'],
  'call.rename': ['services/chat/test/chats.test.ts › is made empty, renamed and pinned'],
  'call.merge': [
    'services/chat/test/history.test.ts › keeps what the user wrote and the chat does not have, behind what is shown',
    'services/chat/test/history.test.ts › overwrites nothing that the server wrote and invents no answer',
    'web/src/features/chat/thread/images.test.ts › begins a chat, shows the request at once, then the image, and is saved',
  ],
  'call.bulk': ['services/chat/test/chats.test.ts › takes several, and tells no foreign chat from a missing one'],
  'call.clear': ['services/chat/test/chats.test.ts › takes all'],
  'call.guest-info': [
    'services/chat/test/shapes.test.ts › a guest has id, limit, what is left and when it begins anew',
  ],
  'call.image': [
    'services/chat/test/images.test.ts › is made by the first model that is enabled, kept and charged once',
  ],
  'call.send': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
  ],
  'stream.json': [
    'services/chat/test/answers.test.ts › is JSON when that is asked for',
    'web/src/features/chat/stream/read-answer.test.ts › takes a JSON answer, and refuses one without content',
    'tests/e2e/test/words.test.ts › of an answer in one piece, and what its headers say of a guest',
  ],
  'stream.guest-headers': [
    'services/chat/test/guests.test.ts › is told the allowance, and every answer counts',
    'tests/e2e/test/words.test.ts › of an answer in one piece, and what its headers say of a guest',
  ],
  'stream.events': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
    'services/chat/test/answers.test.ts › shows reasoning apart from text',
    'services/chat/test/guests.test.ts › is told the allowance, and every answer counts',
    'services/chat/test/search-mode.test.ts › is searched for first, its pages are read, and the model is given them by number',
    'services/chat/test/tools.test.ts › goes on with what the tool gave, in one stream and for one price',
    'services/chat/test/tools.test.ts › %s fail, and the answer goes on',
    'services/chat/test/sending.test.ts › after text and %s keeps the text as interrupted and charges it',
  ],
  'stream.end': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
    'web/src/features/chat/stream/answer-event.test.ts › tells events apart by their keys',
  ],
  'socket.place': [
    'web/src/shared/live/limits.test.ts › the socket is at /realtime under /socket.io, has 20 s to connect, and gives the token in the handshake only',
    'services/realtime/test/handshake.test.ts › lets in who signed in, and says who they are now',
    'services/realtime/test/handshake.test.ts › is refused for a token in the address, whatever it is called',
  ],
  'socket.client': [
    'web/src/shared/live/live.test.ts › joins each chat once, again after every reconnection, and leaves it with the last who wanted it',
    'services/realtime/test/rooms.test.ts › hears nothing more after it left',
  ],
  'socket.server': [
    'services/realtime/test/rooms.test.ts › is told where it stands, then all that follows, from the last known event on',
    'services/realtime/test/rooms.test.ts › is told of an answer that begins and ends, the whole of it last',
    'services/realtime/test/rooms.test.ts › sees each tool call as a whole, and the pages that were found so far',
    'services/realtime/test/rooms.test.ts › hears of chats that change or go, joined or not',
    'services/realtime/test/rooms.test.ts › is not joined by %s, and nothing of it is heard',
    'services/realtime/test/rooms.test.ts › hears nothing more after it left',
  ],
  'guest-info.401': ['web/src/shared/api/queries.test.ts › is none when guests are not let in'],
  'guest-info.failure': [
    'web/src/shared/api/limits.test.ts › a visitor whose allowance cannot be asked for is taken for one with 2 messages and a reset in 7 days',
    'web/src/shared/api/queries.test.ts › is taken for two messages while the server %s',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
