import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** Tests of the calls between browser and server. */
export const calls = {
  'call.timeout': ['web/src/shared/api/limits.test.ts › a call has a timeout of 15 s, and a stream its own'],
  'call.headers': [
    'web/src/shared/api/http.test.ts › of a guest sends the guest id and stores the returned one',
    'web/src/shared/api/http.test.ts › with an expired token is repeated once with a new one, and concurrent calls share one refresh',
  ],
  'call.login': ['services/auth/test/sign-in.test.ts › a sign-in accepts a username as %s, in any case'],
  'call.register': [
    'services/auth/test/registration.test.ts › a registration creates an account without rights, and no session before the address is confirmed',
  ],
  'call.logout': ['services/auth/test/sessions.test.ts › signing out ends the session and tells every replica'],
  'call.verify-email': [
    'services/auth/test/verification.test.ts › a mailed code confirms the address once and signs the browser in',
  ],
  'call.resend-verification': [
    'services/auth/test/verification.test.ts › a request for another code has the same response for everybody, and mails one a minute to the claimant',
  ],
  'call.update-email': [
    'services/auth/test/email-change.test.ts › the browser that registered can correct the address, which invalidates the code sent to the wrong one and notifies nobody',
  ],
  'call.auth-config': [
    'services/auth/test/single-sign-on.test.ts › single sign-on is offered under its name only if there is a provider',
  ],
  'call.refresh': [
    'services/auth/test/sessions.test.ts › a refresh returns a new access token of the same session and rotates the cookie',
  ],
  'call.jwks': [
    'services/auth/test/signing-keys.test.ts › tokens signed before a rotation, even long ago, verify with both keys',
  ],
  'call.password-reset-request': [
    'services/auth/test/password-reset.test.ts › a request for a new password has the same response for every address, and its event has no address or token',
  ],
  'call.password-reset-confirm': [
    'services/auth/test/password-reset.test.ts › a mailed link sets the password once, ends all sessions and pending codes, and notifies the owner',
    'services/auth/test/password-reset.test.ts › a mailed link expires 30 minutes after it was created, by the database’s clock',
  ],
  'call.oauth-start': [
    'services/auth/test/single-sign-on.test.ts › a sign-on goes to the provider with PKCE, state and nonce, and is bound to its browser by a cookie',
  ],
  'call.oauth-callback': [
    'services/auth/test/single-sign-on.test.ts › the first sign-on creates an account without a password',
    'services/auth/test/single-sign-on.test.ts › a later sign-on finds the account by issuer and subject, whatever the name and address',
    'tests/e2e/test/single-sign-on.test.ts › redirects through the gateway to the provider and back into a session',
  ],
  'call.oauth-link': [
    'services/auth/test/single-sign-on.test.ts › the address of an account is not accepted as proof at a sign-on, although the provider says verified: %j',
    'services/auth/test/single-sign-on.test.ts › an identity is linked with the password of the account, and then both ways sign in',
  ],
  'call.change-password': [
    'services/auth/test/password-change.test.ts › a change of the password keeps this session, ends all others immediately and notifies the owner',
  ],
  'call.sessions': ['services/auth/test/sessions.test.ts › the devices of a user are listed and ended one by one'],
  'call.end-session': [
    'services/auth/test/password-change.test.ts › signing out the other sessions ends all but this one, and returns their number',
    'services/all-in-one/test/security-endings.test.ts › %s ends token, cookie, socket and answer on every replica',
  ],
  'call.data-export': [
    'services/auth/test/data-export.test.ts › of 20 concurrent requests for an export one is accepted, and the others get the waiting time',
    'services/auth/test/data-export.test.ts › the ZIP of an export contains the files of all services and the account, but no secrets',
  ],
  'call.profile': [
    'services/auth/test/sessions.test.ts › a change of the profile changes the given fields and keeps the others',
  ],
  'call.delete-account': [
    'services/auth/test/erasure.test.ts › deleting an account requires the password, counts wrong ones, and changes nothing if it is refused',
    'services/all-in-one/test/erasure.test.ts › the data of a deleted account is erased from every table',
  ],
  'call.admin-users': [
    'services/auth/test/admin.test.ts › a search of users finds parts of names and addresses, literally',
  ],
  'call.admin-stats': ['services/auth/test/admin.test.ts › admins get the numbers of users'],
  'call.admin-settings': [
    'services/auth/test/settings.test.ts › changes of the settings are merged deeply, versioned, signalled and audited',
  ],
  'call.admin-user': [
    'services/auth/test/admin.test.ts › a ban applies from the next call: a banned user can sign in and read the profile, but not refresh',
    'services/auth/test/admin.test.ts › an admin can grant admin rights, and only the super admin can revoke them',
  ],
  'call.admin-audit': [
    'services/auth/test/settings.test.ts › changes of the settings are merged deeply, versioned, signalled and audited',
  ],
  'call.admin-undo': [
    'services/auth/test/undo.test.ts › a ban is undone once, recorded as an unban that refers to it, and the user has access again',
    'services/auth/test/undo.test.ts › an action that cannot be undone is 422, an unknown one 404, and nothing is written',
  ],
  'call.admin-one-user': [
    'services/auth/test/admin-user.test.ts › a user is shown with sessions, keys and usage, and without billing’s data while it is unavailable',
  ],
  'call.admin-view-as': [
    'services/auth/test/admin-user.test.ts › an admin gets a user’s token that names the admin and depends on the admin’s session, and both are audited',
  ],
  'call.admin-cache': ['services/all-in-one/test/administration.test.ts › clears the caches of every service'],
  'call.admin-sign-out': [
    'services/auth/test/sign-out-by-admins.test.ts › an admin signs a user out everywhere, immediately and with an audit entry',
  ],
  'call.hierarchy': [
    'services/llm-router/test/registry.test.ts › has groups of providers, notices and prices, and nothing secret',
  ],
  'call.history': ['services/chat/test/chats.test.ts › is a plain array, the chat written to last first'],
  'call.create': ['services/chat/test/chats.test.ts › is created empty, renamed and pinned'],
  'call.chat': ['services/chat/test/chats.test.ts › is read in pages from its end'],
  'call.delete': ['services/chat/test/chats.test.ts › hides a chat at once and can be undone for a while'],
  'call.rename': ['services/chat/test/chats.test.ts › is created empty, renamed and pinned'],
  'call.merge': [
    'services/chat/test/history.test.ts › adds the user’s messages that the chat lacks, after the last one shown',
    'services/chat/test/history.test.ts › overwrites no stored message and adds no answer',
    'web/src/features/chat/thread/session/images.test.ts › creates a chat, shows the prompt immediately, then the image, and is stored',
  ],
  'call.bulk': [
    "services/chat/test/chats.test.ts › takes several ids, and treats another user's chat like a missing one",
  ],
  'call.clear': ['services/chat/test/chats.test.ts › can delete all chats'],
  'call.guest-info': [
    'services/chat/test/shapes.test.ts › a guest has id, limit, remaining messages and the time of the reset',
  ],
  'call.image': ['services/chat/test/images.test.ts › is made by the first enabled model, stored and charged once'],
  'call.send': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
  ],
  'stream.json': [
    'services/chat/test/answers.test.ts › is JSON if the request accepts that',
    'web/src/features/chat/stream/read-answer.test.ts › accepts a JSON response, and rejects one without content',
    'tests/e2e/test/words.test.ts › an answer that arrives in one piece, and the guest allowance from its headers',
  ],
  'stream.guest-headers': [
    'services/chat/test/guests.test.ts › reads the allowance, and every answer counts',
    'tests/e2e/test/words.test.ts › an answer that arrives in one piece, and the guest allowance from its headers',
  ],
  'stream.events': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
    'services/chat/test/answers.test.ts › shows reasoning apart from text',
    'services/chat/test/guests.test.ts › reads the allowance, and every answer counts',
    'services/chat/test/search-mode.test.ts › is searched for first, its pages are read, and the model gets them by number',
    "services/chat/test/tools.test.ts › continues with the tool's result, in one stream and for one price",
    'services/chat/test/tools.test.ts › %s fail, and the answer goes on',
    'services/chat/test/sending.test.ts › after text and %s keeps the text as interrupted and charges it',
  ],
  'stream.end': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
    'web/src/features/chat/stream/answer-event.test.ts › distinguishes events by their keys',
  ],
  'socket.place': [
    'web/src/shared/live/limits.test.ts › the socket is at /realtime under /socket.io, has 20 s to connect, and sends the token only in the handshake',
    "services/realtime/test/handshake.test.ts › accepts a signed-in user, and sends the user's rights",
    'services/realtime/test/handshake.test.ts › is refused for a token in the URL, under any parameter name',
  ],
  'socket.client': [
    'web/src/shared/live/live.test.ts › joins each chat once, rejoins it after every reconnection, and leaves it with its last user',
    'services/realtime/test/rooms.test.ts › gets no event after leaving',
  ],
  'socket.server': [
    "services/realtime/test/rooms.test.ts › gets the chat's state, then every event after the last known one",
    'services/realtime/test/rooms.test.ts › gets the start and end of an answer, then the whole message',
    'services/realtime/test/rooms.test.ts › gets each tool call in full, and all pages found so far',
    'services/realtime/test/rooms.test.ts › gets updates and deletions of chats, joined or not',
    'services/realtime/test/rooms.test.ts › cannot be joined by %s, and none of its events is received',
    'services/realtime/test/rooms.test.ts › gets no event after leaving',
  ],
  'guest-info.401': ['web/src/shared/api/queries.test.ts › is zero if guests are not allowed'],
  'guest-info.failure': [
    'web/src/shared/api/limits.test.ts › a visitor whose allowance cannot be loaded is assumed to have 2 messages and a reset in 7 days',
    'web/src/shared/api/queries.test.ts › is assumed to be two messages while the server %s',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
