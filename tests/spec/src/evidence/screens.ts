import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

/** The tests of what is shown, and what is held. */
export const screens = {
  'route.chat': [
    'web/src/app/access.test.ts › shows the chat to users and granted guests, waits while that is unknown, and sends others to sign in',
    'tests/e2e/test/words.test.ts › in its place: signed in, no sign-in; a visitor is led to it and back to what they wanted',
    'tests/e2e/test/words.test.ts › as a visitor: no chats, and nothing to do with them; where guests are not let in, the sign-in',
  ],
  'route.login': [
    'web/src/app/access.test.ts › keeps signed-in people out of the sign-in screens',
    'tests/e2e/test/words.test.ts › in its place: signed in, no sign-in; a visitor is led to it and back to what they wanted',
  ],
  'route.register': [
    'web/src/app/access.test.ts › keeps signed-in people out of the sign-in screens',
    'tests/e2e/test/words.test.ts › in its place: signed in, no sign-in; a visitor is led to it and back to what they wanted',
  ],
  'route.profile': [
    'tests/e2e/test/profile.test.ts › are reached from the account menu and from the palette, by keyboard alone, and ask for sign-in first',
  ],
  'route.privacy': [
    'tests/e2e/test/own-data.test.ts › mail a copy of all data, once within the cooldown, from the privacy page and after signing in there',
  ],
  'login.sign-on': [
    'services/auth/test/single-sign-on.test.ts › is offered under its name where there is a provider, and only there',
    'tests/e2e/test/single-sign-on.test.ts › brings a guest in with their chat and draft, and the next time into the same account, where they wanted to go',
    'tests/e2e/test/words.test.ts › the form waits for the button of single sign-on, which would push it aside',
  ],
  'verification.options': [
    'services/auth/test/verification.test.ts › ends the code before it',
    'tests/e2e/test/accounts.test.ts › registration: advice, mistakes at their fields, a wrong code, a new one, another address, the right code',
  ],
  'reset.invalid': [
    'tests/e2e/test/accounts.test.ts › a forgotten password: the same answer for everybody, a link that works once, and every other device is out',
  ],
  'soft-sign-in': [
    'tests/e2e/test/accounts.test.ts › signing in takes it along, and opens it',
    'tests/e2e/test/accounts.test.ts › registration takes it along, also when the page is reloaded before the code',
    'tests/e2e/test/accounts.test.ts › makes one chat of it when the answer to the first try is lost',
    'tests/e2e/test/accounts.test.ts › an answer that is still being written is waited for, and comes along whole',
    'tests/e2e/test/single-sign-on.test.ts › brings a guest in with their chat and draft, and the next time into the same account, where they wanted to go',
  ],
  'profile.personal': [
    'tests/e2e/test/profile.test.ts › keep another name, and say at the field which one is taken',
    'tests/e2e/test/profile.test.ts › change the password, and the other browser is out',
  ],
  'profile.appearance': [
    'tests/e2e/test/profile.test.ts › draw the chosen colours at once, in the other tab, and before anything else at the next load',
    'web/src/shared/theme/colors.test.ts › can be read as text on every surface and on their own tints',
  ],
  'profile.preferences': [
    'tests/e2e/test/profile.test.ts › of new chats hold in the next one: the default model, and thoughts only where they are wanted',
  ],
  'profile.failed': [
    'tests/e2e/test/profile.test.ts › survive a server that is down: what was typed stays, and is saved when it is back',
    'tests/e2e/test/profile.test.ts › take a preference back that could not be kept, and say so',
  ],
  'overlay.suspended': [
    'web/src/shared/ui/overlays.test.ts › the suspension overlay says so and offers nothing but to sign out',
    'tests/e2e/test/journey.test.ts › is banned and sees it at once, and again when it is over',
  ],
  'overlay.loading': [
    'web/src/shared/ui/overlays.test.ts › the loading overlay is blank at first',
    'tests/e2e/test/words.test.ts › while it loads: nothing for 150 ms, then who is asked for',
  ],
  'overlay.loading-texts': [
    'web/src/shared/ui/overlays.test.ts › the loading overlay of %s reads “%s”',
    'tests/e2e/test/words.test.ts › while it loads: nothing for 150 ms, then who is asked for',
    'tests/e2e/test/words.test.ts › while a screen loads: “Loading…”',
  ],
  'toast.authentication': ['tests/e2e/test/words.test.ts › when signing in and registering fail'],
  'boundary.levels': [
    'tests/e2e/test/words.test.ts › when a page breaks: what it offers, and after three tries whether to refresh',
    'tests/e2e/test/words.test.ts › when a part of a page breaks, and when all of it does',
  ],
  'boundary.buttons': [
    'tests/e2e/test/words.test.ts › when a page breaks: what it offers, and after three tries whether to refresh',
  ],
  'boundary.retries': [
    'tests/e2e/test/words.test.ts › when a page breaks: what it offers, and after three tries whether to refresh',
  ],
  'boundary.route-change': [
    'tests/e2e/test/words.test.ts › when a page breaks: what it offers, and after three tries whether to refresh',
  ],
  'boundary.log': [
    'web/src/shared/session/error-log.test.ts › the last ten errors are kept in this browser, the oldest going first',
    'tests/e2e/test/words.test.ts › when a page breaks: what it offers, and after three tries whether to refresh',
  ],
  'chat.composer': [
    'tests/e2e/test/files.test.ts › that are pasted, or dropped anywhere, are sent with the text, and the draft is empty afterwards',
    'tests/e2e/test/composer.test.ts › are turned on in the menu, stay through a reload, and change what the model is asked',
    'tests/e2e/test/composer.test.ts › can be asked for by a command, whose menu obeys the keys',
    'tests/e2e/test/composer.test.ts › of finance shows prices, and a watchlist that refuses what is no ticker',
    'tests/e2e/test/files.test.ts › the mode of images shows its model and price, and makes one',
    'tests/e2e/test/resilience.test.ts › retries the first message of a chat in that chat, also with another model',
  ],
  'chat.list': ['tests/e2e/test/journey.test.ts › renames, pins, deletes and undoes, and deletes five selected chats'],
  'chat.guest-list': [
    'tests/e2e/test/words.test.ts › as a visitor: no chats, and nothing to do with them; where guests are not let in, the sign-in',
  ],

  'user.fields': [
    'services/auth/test/shapes.test.ts › a user has rights, address, whether it is confirmed, and preferences that save chats',
  ],
  'user.admin-fields': [
    'services/auth/test/shapes.test.ts › a user in the list of admins has an _id and whether they are banned',
  ],
  'auth.answer': [
    'services/auth/test/shapes.test.ts › a user has rights, address, whether it is confirmed, and preferences that save chats',
    'services/auth/test/sign-in.test.ts › asks the unverified for the code instead of signing them in',
  ],
  'admin.stats': [
    'services/auth/test/shapes.test.ts › all users are five counts',
    'services/auth/test/admin.test.ts › is counted',
  ],
  'admin.settings': [
    'services/auth/test/shapes.test.ts › the settings begin with registration on, both ways, 2 messages for guests and a warning at 80 percent',
  ],
  'chat.fields': ['services/chat/test/shapes.test.ts › a chat has id, title, messages, model and both times'],
  'message.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all that they have',
  ],
  'attachment.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all that they have',
    'services/chat/test/attachments.test.ts › are fetched and kept',
  ],
  'toolcall.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all that they have',
  ],
  'result.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all that they have',
  ],
  'guest.fields': ['services/chat/test/shapes.test.ts › a guest has id, limit, what is left and when it begins anew'],
  'hierarchy.fields': [
    'services/llm-router/test/registry.test.ts › holds groups of providers, notices and prices, and nothing secret',
  ],
  'stored.locally': [
    'web/src/shared/session/sign-in.test.ts › signing in keeps token and user for the next visit, no e-mail address and no guest',
    'web/src/shared/api/http.test.ts › of a guest carries the guest id and keeps the one that is given',
    'web/src/shared/session/error-log.test.ts › the last ten errors are kept in this browser, the oldest going first',
    'tests/e2e/test/words.test.ts › of the theme: delgdark where nothing was chosen',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
