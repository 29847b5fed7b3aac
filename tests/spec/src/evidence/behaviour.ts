import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** Tests of behaviour, refusals and permissions. */
export const behaviour = {
  'session.stored': [
    'web/src/shared/session/sign-in.test.ts › signing in stores token and user for the next visit, and removes the e-mail address and the guest',
    'tests/e2e/test/journey.test.ts › registers with the mailed code, chats, reloads during an answer and sees it continue',
    'tests/e2e/test/journey.test.ts › sends two messages as a guest and is asked to sign in for the third, which is kept',
  ],
  'session.logout': [
    'web/src/shared/session/sign-in.test.ts › signing out removes the user’s data and keeps the browser’s',
    'tests/e2e/test/words.test.ts › the signed-out state, even when the server cannot be reached',
  ],
  'email.verification': [
    'services/auth/test/registration.test.ts › a registration creates an account without rights, and no session before the address is confirmed',
    'services/auth/test/settings.test.ts › a registration signs in immediately if no verification is required',
    'tests/e2e/test/journey.test.ts › registers with the mailed code, chats, reloads during an answer and sees it continue',
  ],
  'email.update': [
    'services/auth/test/email-change.test.ts › a change of a confirmed address requires the password, and the old address is notified',
  ],
  'guest.mode': [
    'web/src/app/access.test.ts › shows the chat to users and permitted guests, waits while this is unknown, and sends others to sign in',
    'tests/e2e/test/journey.test.ts › sends two messages as a guest and is asked to sign in for the third, which is kept',
  ],
  'guest.model': [
    'web/src/features/models/choose-model.test.ts › selects v3 for guests, whatever was selected',
    'services/chat/test/guests.test.ts › always gets the model v3, only the own history in two roles, and no chat',
  ],
  'guest.no-history': [
    'services/chat/test/history.test.ts › a guest is refused what needs an account, with the reason',
    'tests/e2e/test/words.test.ts › no chats to a visitor, or the sign-in where guests are not allowed',
  ],
  'tool.status': [
    'web/src/features/chat/thread/state/lookups.test.ts › a call with %j is in the state %s',
    'services/chat/test/tools.test.ts › is replayed to the byte from every event, and stored with its calls',
  ],
  'search.steps': [
    'web/src/shared/message/web-search.test.ts › a search shows that it searches, each address, that it reads, and the results',
    'services/chat/test/search-mode.test.ts › is searched for first, its pages are read, and the model gets them by number',
  ],
  'search.failed': [
    'web/src/shared/message/web-search.test.ts › a failed search says so',
    'services/chat/test/search-mode.test.ts › because it is %s lets the model answer without it',
  ],
  'stream.state': [
    'web/src/features/chat/thread/session/chat-session.test.ts › shows the message immediately, then the answer with its receipt',
    'web/src/features/chat/thread/session/chat-session.test.ts › refuses blank text, a second message while an answer runs, and the same text within ten seconds',
  ],
  'stream.silence': [
    'web/src/features/chat/message/wait-of.test.ts › the progress notice of a waiting answer matches its state: %s',
    'tests/e2e/test/moments.test.ts › names the model after three silent seconds, and announces the answer',
    'tests/e2e/test/moments.test.ts › can be ended by Stop next to that text, with immediate effect',
  ],
  'stream.delay': [
    'services/llm-router/test/delays.test.ts › is told before the wait that the provider is busy and asks to wait, and how long',
    'services/llm-router/test/delays.test.ts › is told once of each retry and each fallback, in order, without the provider’s text',
    'services/realtime/test/connections.test.ts › learns why an answer is delayed without having joined the chat, and no other user does',
    "services/all-in-one/test/realtime.test.ts › are told on every replica that their answer's provider is being retried, before the answer has a status",
    'tests/e2e/test/delays.test.ts › in a new chat says at once that the provider is busy, counts down to the retry, and then reports the retry',
    'tests/e2e/test/delays.test.ts › names the fallback model on every device of the user until the answer begins',
    'tests/e2e/test/delays.test.ts › can be stopped next to the message about the delay',
  ],
  'duplicate.guard': [
    'web/src/features/chat/thread/session/duplicate-guard.test.ts › the same text within ten seconds is a duplicate',
    'web/src/features/chat/thread/session/chat-session.test.ts › refuses blank text, a second message while an answer runs, and the same text within ten seconds',
  ],
  'realtime.rooms': [
    'web/src/shared/live/live.test.ts › joins each chat once, rejoins it after every reconnection, and leaves it with its last user',
    'tests/e2e/test/live.test.ts › sees an answer on the other device while it is generated, and later changes of its chat',
  ],
  'model.locked-switch': [
    'web/src/features/models/choose-model.test.ts › replaces a selected model that was locked, and reports it',
    'tests/e2e/test/models.test.ts › is replaced with a notice when an admin disables it, and the draft stays',
    'services/llm-router/test/registry.test.ts › shows a disabled model as locked to everybody but admins',
  ],
  'chat.created': [
    'services/chat/test/answers.test.ts › is numbered from 1 without gaps and ends with done and the end mark',
    'web/src/features/chat/thread/session/chat-session.test.ts › reports the id of a new chat once, and uses it for the next message',
  ],
  'chat.title': ['services/chat/test/chats.test.ts › titles a chat by the first 50 characters of its message'],
  'chat.continue': [
    'services/chat/test/continuing.test.ts › goes on in the same message, whose stream begins with what there was',
    'services/chat/test/continuing.test.ts › is charged by generation, each with its own hold and event',
    'services/chat/test/continuing.test.ts › joins a repeat of its send, also after the end, on any replica',
    'services/chat/test/continuing.test.ts › is free, leaves the answer as it was, and may be tried again',
    "services/chat/test/continuing.test.ts › of another user, or by another chat's id, as if there were none (404)",
    'services/chat/test/recovering.test.ts › has the earlier text and what was delivered, and costs both',
    'tests/e2e/test/continuing.test.ts › is one text in one message, live in another tab and after a reload',
    'tests/e2e/test/continuing.test.ts › lists each part and their sum in its receipt',
    'tests/e2e/test/continuing.test.ts › keeps the text received before the server dies, and can be continued again',
  ],
  'chat.archive': [
    'services/chat/test/archive.test.ts › is left out of the list and of searches unless requested, and is read and exported as before',
    'services/chat/test/archive.test.ts › is back in the list once a message or another version of an answer is written in it',
    'services/chat/test/archive.test.ts › stays in the archive when it is renamed, pinned, deleted and restored, and goes when all chats are deleted',
    'services/chat/test/archive.test.ts › is archived by its owner alone: others get the response for a missing one',
    'tests/e2e/test/chats.test.ts › leave the list on every device, are found in the archive, and return when a message is sent',
    'tests/e2e/test/chats.test.ts › are archived together, restored by Undo, and unarchived together',
  ],
  'chat.model-title': [
    'services/chat/test/titles.test.ts › is written by the cheapest model after the first answer alone, charged to nobody, and sent to other devices',
    "services/chat/test/titles.test.ts › stays the user's if the chat is renamed while the model writes one",
    'services/chat/test/titles.test.ts › stays the beginning of the message where the model fails, names nothing, or the setting is off',
    'tests/e2e/test/chats.test.ts › is generated after the first answer, on every device, once an admin has switched that on',
  ],
  'chat.follow-ups': [
    'services/chat/test/follow-ups.test.ts › are requested from a model once, charged to nobody, and the same when they are requested again',
    'services/chat/test/follow-ups.test.ts › are none where the model fails, says something else, or admins have not switched them on',
    'services/chat/test/follow-ups.test.ts › are for the owner of the chat alone: 404 to others and after a question, 401 to guests',
    'tests/e2e/test/chats.test.ts › fill the composer, and can be switched off by a preference',
  ],
  'chat.list-refresh': [
    'web/src/features/chat/refresh-list.test.ts › the list of chats is reloaded 500 ms after a chat was started',
    'tests/e2e/test/words.test.ts › a new chat in the list, even without a live event',
  ],

  'send.blank': [
    'web/src/features/chat/thread/session/chat-session.test.ts › refuses blank text, a second message while an answer runs, and the same text within ten seconds',
    'services/chat/test/sending.test.ts › for %s costs and stores nothing',
  ],
  'send.cleaned': ['services/chat/test/chats.test.ts › gives the model its history, cleaned, under the system prompt'],
  'send.locked': [
    'services/chat/test/sending.test.ts › for %s costs and stores nothing',
    'services/chat/test/sending.test.ts › lets an admin use a locked model',
    'tests/e2e/test/models.test.ts › is refused by the server when the page does not know yet that it is locked',
  ],
  'image.prompt': ['web/src/features/chat/thread/session/images.test.ts › is refused without a prompt, and for guests'],
  'image.once': [
    'web/src/features/chat/thread/session/images.test.ts › creates a chat, shows the prompt immediately, then the image, and is stored',
  ],
  'bulk.empty': [
    "services/chat/test/chats.test.ts › takes several ids, and treats another user's chat like a missing one",
    'tests/e2e/test/words.test.ts › why the list, a chat, or an action on chats failed',
  ],
  'email.lowercase': ['tests/e2e/test/words.test.ts › why a code, a resent code or a change of address failed'],

  'role.guest': [
    'services/chat/test/guests.test.ts › always gets the model v3, only the own history in two roles, and no chat',
    'services/chat/test/guests.test.ts › with 2 left who sends 50 at once gets exactly 2',
  ],
  'role.user': [
    'services/chat/test/chats.test.ts › is a plain array, the chat written to last first',
    'services/chat/test/sending.test.ts › for %s costs and stores nothing',
    'services/auth/test/sessions.test.ts › a change of the profile changes the given fields and keeps the others',
  ],
  'role.admin': [
    'services/chat/test/sending.test.ts › lets an admin use a locked model',
    'services/auth/test/admin.test.ts › every admin route refuses guests, users, banned and demoted admins',
    'web/src/app/access.test.ts › requires sign-in for the profile and admin rights for the administration',
  ],
  'role.admin-ban': [
    'services/auth/test/admin.test.ts › an admin can ban users, but not admins or the super admin',
    'services/auth/test/admin.test.ts › a user whose ban is lifted has the same access as before',
    'services/auth/test/admin.test.ts › an admin can grant admin rights, and only the super admin can revoke them',
    'services/auth/test/settings.test.ts › a registration is refused while registration is off, and creates nothing',
  ],
  'role.banned': ['tests/e2e/test/journey.test.ts › sees a ban, and its end, at once'],
} as const satisfies Partial<Coverage<RequirementId>>
