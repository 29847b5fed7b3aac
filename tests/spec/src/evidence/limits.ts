import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** Tests of error texts and of constants. */
export const limits = {
  'error.server-text': [
    'tests/e2e/test/words.test.ts › the server’s own text of an error',
    'web/src/shared/forms/server-errors.test.ts › is shown at the field of its code, or else as a message of the form',
    'web/src/features/chat/message/failure-text.test.ts › the server’s messages about a send, an answer and an image are shown unchanged',
  ],
  'error.login': ['tests/e2e/test/words.test.ts › why signing in or registering failed'],
  'error.register': ['tests/e2e/test/words.test.ts › why signing in or registering failed'],
  'error.register-later': [
    'tests/e2e/test/words.test.ts › why signing in or registering failed',
    'web/src/shared/forms/server-errors.test.ts › has another text if the server is unreachable or fails and the form has one',
  ],
  'error.code': [
    'tests/e2e/test/words.test.ts › why a code, a resent code or a change of address failed',
    'services/auth/test/verification.test.ts › a mailed code expires after 10 minutes',
  ],
  'error.oauth-start': [
    'tests/e2e/test/single-sign-on.test.ts › shows why it failed, with a way out: cancelled, forged, reloaded, unreachable',
  ],
  'error.oauth-callback': [
    'services/auth/test/single-sign-on-attacks.test.ts › the end of a sign-on with %j says what is wrong, with and without a provider',
  ],
  'error.oauth-exchange': ['services/auth/test/single-sign-on-attacks.test.ts › a sign-on with a used code is refused'],
  'error.reset-link': [
    'tests/e2e/test/accounts.test.ts › a forgotten password gets the same response for every address, a link that works once, and signs every other device out',
  ],
  'error.registration-off': [
    'services/auth/test/single-sign-on.test.ts › a sign-on creates no account while single sign-on is closed to new users, and signs known users in',
    'services/auth/test/settings.test.ts › a registration is refused while registration is off, and creates nothing',
  ],
  'error.resend': ['tests/e2e/test/words.test.ts › why a code, a resent code or a change of address failed'],
  'error.update-email': ['tests/e2e/test/words.test.ts › why a code, a resent code or a change of address failed'],
  'error.change-password': [
    'tests/e2e/test/profile.test.ts › keep the password when the new one is too short or not repeated, or the server gives no reason',
  ],
  'error.models': ['tests/e2e/test/models.test.ts › shows that it could not be loaded, and loads on retry'],
  'error.history': ['tests/e2e/test/words.test.ts › why the list, a chat, or an action on chats failed'],
  'error.chat': ['tests/e2e/test/words.test.ts › why the list, a chat, or an action on chats failed'],
  'error.delete': ['tests/e2e/test/words.test.ts › why the list, a chat, or an action on chats failed'],
  'error.rename': ['tests/e2e/test/words.test.ts › why the list, a chat, or an action on chats failed'],
  'error.bulk': ['tests/e2e/test/words.test.ts › why the list, a chat, or an action on chats failed'],
  'error.start': [
    'web/src/features/chat/message/failure-text.test.ts › a first message that the server refuses without a message reads “Failed to start a new chat session…”',
    'tests/e2e/test/words.test.ts › why a send failed without a server’s text, in a new chat first',
  ],
  'error.send': ['web/src/features/chat/message/failure-text.test.ts › a send that fails with %s reads “%s”'],
  'error.timeout': [
    'web/src/features/chat/message/failure-text.test.ts › an answer that ends with %j reads “%s”',
    'services/chat/test/faults.test.ts › to its first event is refused, free of charge',
  ],
  'error.lost': ['web/src/features/chat/message/failure-text.test.ts › an answer that ends with %j reads “%s”'],
  'error.connection': ['web/src/features/chat/message/failure-text.test.ts › an answer that ends with %j reads “%s”'],
  'error.interrupted': [
    'web/src/features/chat/message/failure-text.test.ts › an answer that ends with %j reads “%s”',
    'services/chat/test/faults.test.ts › has its answer ended as interrupted and settled by another replica',
  ],
  'error.apology': [
    'web/src/features/chat/message/failure-text.test.ts › a failed answer apologises, and an interrupted one has a note in italics',
    'tests/e2e/test/words.test.ts › why a send failed without a server’s text, in a new chat first',
  ],
  'error.italic-note': [
    'web/src/features/chat/message/failure-text.test.ts › a failed answer apologises, and an interrupted one has a note in italics',
    'tests/e2e/test/thread.test.ts › can be continued after it was interrupted',
  ],
  'error.guest-history': [
    'services/chat/test/history.test.ts › a guest is refused what needs an account, with the reason',
  ],
  'error.guest-manage': [
    'services/chat/test/history.test.ts › a guest is refused what needs an account, with the reason',
  ],
  'error.guest-rename': [
    'services/chat/test/history.test.ts › a guest is refused what needs an account, with the reason',
  ],
  'error.image': [
    'web/src/features/chat/message/failure-text.test.ts › an image that fails with %o reads “%s”',
    'services/chat/test/images.test.ts › costs nothing, says why, and is tried again under the same key',
  ],
  'error.image-url': [
    'web/src/features/chat/message/failure-text.test.ts › an image that fails with %o reads “%s”',
    'web/src/features/chat/thread/session/images.test.ts › shows why it failed (%#), and is retried under the same id',
  ],
  'error.search-results': [
    'services/chat/test/search-mode.test.ts › because it is %s lets the model answer without it',
  ],
  'error.model-disabled': [
    'tests/e2e/test/models.test.ts › is replaced with a notice when an admin disables it, and the draft stays',
  ],
  'error.model-preferred': [
    'tests/e2e/test/models.test.ts › falls back from a preferred model that is locked, naming both',
  ],
  'error.model-available': [
    'tests/e2e/test/models.test.ts › is none while all are disabled, and is chosen again once one is enabled',
  ],

  'constant.http-timeout': ['web/src/shared/api/limits.test.ts › a call has a timeout of 15 s, and a stream its own'],
  'constant.stream-timeout': [
    'web/src/features/chat/stream/limits.test.ts › an answer that takes longer than 10 minutes fails',
  ],
  'constant.guest-limit': [
    'services/auth/test/shapes.test.ts › the settings starts with registration on, by both names, 2 messages for guests and a warning at 80 percent',
    'services/auth/test/settings.test.ts › the settings start with the defaults',
  ],
  'constant.guest-reset': [
    'web/src/shared/api/limits.test.ts › a visitor whose allowance cannot be loaded is assumed to have 2 messages and a reset in 7 days',
  ],
  'constant.guest-model': [
    'services/chat/test/guests.test.ts › always gets the model v3, only the own history in two roles, and no chat',
  ],
  'constant.warning': [
    'services/auth/test/shapes.test.ts › the settings starts with registration on, by both names, 2 messages for guests and a warning at 80 percent',
    'web/src/features/credits/meter.test.ts › warns from 80 percent of use',
  ],
  'constant.polling': ['tests/e2e/test/models.test.ts › is polled every 10 s without live updates, and not in between'],
  'constant.duplicate': [
    'web/src/features/chat/thread/session/duplicate-guard.test.ts › the same text within ten seconds is a duplicate',
    'web/src/features/chat/thread/session/duplicate-guard.test.ts › the same text after ten seconds, or another text, is not a duplicate',
  ],
  'constant.title': ['services/chat/test/chats.test.ts › titles a chat by the first 50 characters of its message'],
  'constant.list-refresh': [
    'web/src/features/chat/refresh-list.test.ts › the list of chats is reloaded 500 ms after a chat was started',
  ],
  'constant.overlay': [
    'web/src/shared/ui/overlays.test.ts › the loading overlay is blank at first',
    'tests/e2e/test/words.test.ts › nothing for the first 150 ms of loading, then what is loading',
  ],
  'constant.error-log': ['web/src/shared/session/error-log.test.ts › the last ten errors are stored in the browser'],
  'constant.retries': [
    'tests/e2e/test/words.test.ts › the actions on a broken page, and the offer to refresh after three attempts',
  ],
  'constant.reconnect-tries': [
    'web/src/shared/live/limits.test.ts › a lost connection is retried 20 times, every 500 to 5000 ms',
    'web/src/shared/live/live.test.ts › gives up after twenty tries, and restarts on request or when the tab becomes visible',
  ],
  'constant.reconnect-delay': [
    'web/src/shared/live/limits.test.ts › a lost connection is retried 20 times, every 500 to 5000 ms',
  ],
  'constant.connect-timeout': [
    'web/src/shared/live/limits.test.ts › the socket is at /realtime under /socket.io, has 20 s to connect, and sends the token only in the handshake',
  ],
  'constant.theme': [
    'web/src/shared/theme/theme.test.ts › falls back to delgdark',
    'tests/e2e/test/words.test.ts › the default theme delgdark where none was chosen',
  ],
  'constant.detail': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all documented fields',
  ],
  'constant.fallback-cut': [
    'web/src/features/chat/message/empty-answer.test.ts › the replacement of an empty answer is cut at 1,000 characters, without splitting a character',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
