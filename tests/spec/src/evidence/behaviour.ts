import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** The tests of how it behaves, what it refuses, and to whom. */
export const behaviour = {
  'session.stored': [
    'web/src/shared/session/sign-in.test.ts › signing in keeps token and user for the next visit, no e-mail address and no guest',
    'tests/e2e/test/journey.test.ts › registers with the mailed code, chats, reloads in the middle and sees it go on',
    'tests/e2e/test/journey.test.ts › sends two messages as a guest and is asked to sign in, the third one kept',
  ],
  'session.logout': [
    'web/src/shared/session/sign-in.test.ts › signing out leaves nothing of the person, and what belongs to the browser',
    'tests/e2e/test/words.test.ts › of signing out: gone, also when the server cannot be told',
  ],
  'email.verification': [
    'services/auth/test/registration.test.ts › makes an account without rights and no session before the address is confirmed',
    'services/auth/test/settings.test.ts › signs in at once where no verification is asked for',
    'tests/e2e/test/journey.test.ts › registers with the mailed code, chats, reloads in the middle and sees it go on',
  ],
  'email.update': [
    'services/auth/test/email-change.test.ts › takes the password of a confirmed account, and tells the address that is given up',
  ],
  'guest.mode': [
    'web/src/app/access.test.ts › shows the chat to users and granted guests, waits while that is unknown, and sends others to sign in',
    'tests/e2e/test/journey.test.ts › sends two messages as a guest and is asked to sign in, the third one kept',
  ],
  'guest.model': [
    'web/src/features/models/choose-model.test.ts › gives a guest v3 whatever was selected',
    'services/chat/test/guests.test.ts › gets v3 whatever is asked, own history only in two roles, and no chat',
  ],
  'guest.no-history': [
    'services/chat/test/history.test.ts › a guest is told what guests have not',
    'tests/e2e/test/words.test.ts › as a visitor: no chats, and nothing to do with them; where guests are not let in, the sign-in',
  ],
  'tool.status': [
    'web/src/features/chat/thread/lookups.test.ts › the state of a call with %j is %s',
    'services/chat/test/tools.test.ts › is replayed to the byte from every place, and kept with its calls',
  ],
  'search.steps': [
    'web/src/shared/message/web-search.test.ts › a search shows that it searches, each address, that it reads, then what was found',
    'services/chat/test/search-mode.test.ts › is searched for first, its pages are read, and the model is given them by number',
  ],
  'search.failed': [
    'web/src/shared/message/web-search.test.ts › a search that failed says so',
    'services/chat/test/search-mode.test.ts › as it is %s leaves the answer to the model',
  ],
  'stream.state': [
    'web/src/features/chat/thread/chat-session.test.ts › shows the message at once, then the answer with its receipt',
    'web/src/features/chat/thread/chat-session.test.ts › refuses blank text, a second message while one runs, and the same one within ten seconds',
  ],
  'duplicate.guard': [
    'web/src/features/chat/thread/duplicate-guard.test.ts › takes the same text for a duplicate within ten seconds',
    'web/src/features/chat/thread/chat-session.test.ts › refuses blank text, a second message while one runs, and the same one within ten seconds',
  ],
  'realtime.rooms': [
    'web/src/shared/live/live.test.ts › joins each chat once, again after every reconnection, and leaves it with the last who wanted it',
    'tests/e2e/test/live.test.ts › shows an answer on the other device while it is written, and what becomes of its chat',
  ],
  'model.locked-switch': [
    'web/src/features/models/choose-model.test.ts › moves away from a selected model that was locked, and says so',
    'tests/e2e/test/models.test.ts › is changed when the admin disables it, which is said, and what is written stays',
    'services/llm-router/test/registry.test.ts › shows a disabled model as locked to all but admins',
  ],
  'chat.created': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
    'web/src/features/chat/thread/chat-session.test.ts › tells the id of a new chat once, and uses it for the next message',
  ],
  'chat.title': ['services/chat/test/chats.test.ts › titles a chat by the first 50 characters of its message'],
  'chat.list-refresh': [
    'web/src/features/chat/refresh-list.test.ts › the list of chats is asked for again 500 ms after a chat began',
    'tests/e2e/test/words.test.ts › in the list: a new chat, also where nobody tells of it',
  ],

  'send.blank': [
    'web/src/features/chat/thread/chat-session.test.ts › refuses blank text, a second message while one runs, and the same one within ten seconds',
    'services/chat/test/sending.test.ts › %s costs and leaves nothing',
  ],
  'send.cleaned': ['services/chat/test/chats.test.ts › gives the model its history, cleaned, under the system prompt'],
  'send.locked': [
    'services/chat/test/sending.test.ts › %s costs and leaves nothing',
    'services/chat/test/sending.test.ts › lets an admin use a locked model',
    'tests/e2e/test/models.test.ts › is refused by the server where the page does not know yet that it is locked',
  ],
  'image.prompt': ['web/src/features/chat/thread/images.test.ts › is not made of nothing, nor for a guest'],
  'image.once': [
    'web/src/features/chat/thread/images.test.ts › begins a chat, shows the request at once, then the image, and is saved',
  ],
  'bulk.empty': [
    'services/chat/test/chats.test.ts › takes several, and tells no foreign chat from a missing one',
    'tests/e2e/test/words.test.ts › when the list, a chat, and what is done with chats fail',
  ],
  'email.lowercase': ['tests/e2e/test/words.test.ts › when a code, a new code and another address fail'],

  'role.guest': [
    'services/chat/test/guests.test.ts › gets v3 whatever is asked, own history only in two roles, and no chat',
    'services/chat/test/guests.test.ts › with 2 left who sends 50 at once gets exactly 2',
  ],
  'role.user': [
    'services/chat/test/chats.test.ts › is a plain array, the chat written to last first',
    'services/chat/test/sending.test.ts › %s costs and leaves nothing',
    'services/auth/test/sessions.test.ts › changes what is sent and keeps the rest',
  ],
  'role.admin': [
    'services/chat/test/sending.test.ts › lets an admin use a locked model',
    'services/auth/test/admin.test.ts › every admin route refuses guests, users, banned and demoted admins',
    'web/src/app/access.test.ts › asks for sign-in, and sends home who lacks admin rights',
  ],
  'role.admin-ban': [
    'services/auth/test/admin.test.ts › an admin bans users, but no admin and not the super admin',
    'services/auth/test/admin.test.ts › is lifted with everything as before',
    'services/auth/test/admin.test.ts › only the super admin makes and unmakes admins',
    'services/auth/test/settings.test.ts › is refused while it is off, and nothing is made',
  ],
  'role.banned': ['tests/e2e/test/journey.test.ts › is banned and sees it at once, and again when it is over'],
} as const satisfies Partial<Coverage<RequirementId>>
