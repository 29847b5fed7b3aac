import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

const installed = 'tests/e2e/test/install.test.ts'
const documentation = 'tests/e2e/test/api-examples.test.ts'

/** Tests of screens and browser storage. */
export const screens = {
  'route.chat': [
    'web/src/app/access.test.ts › shows the chat to users and permitted guests, waits while this is unknown, and sends others to sign in',
    'tests/e2e/test/words.test.ts › no sign-in to a signed-in user, and the requested page to a visitor after sign-in',
    'tests/e2e/test/words.test.ts › no chats to a visitor, or the sign-in where guests are not allowed',
  ],
  'route.login': [
    'web/src/app/access.test.ts › keeps signed-in users out of the sign-in screens',
    'tests/e2e/test/words.test.ts › no sign-in to a signed-in user, and the requested page to a visitor after sign-in',
  ],
  'route.register': [
    'web/src/app/access.test.ts › keeps signed-in users out of the sign-in screens',
    'tests/e2e/test/words.test.ts › no sign-in to a signed-in user, and the requested page to a visitor after sign-in',
  ],
  'route.profile': [
    'tests/e2e/test/profile.test.ts › are reached from the account menu and the palette by keyboard alone, and ask for sign-in first',
  ],
  'route.privacy': [
    'tests/e2e/test/own-data.test.ts › is exported by mail, once per cooldown, from the privacy page and after signing in there',
  ],
  'docs.api': [
    `${documentation} › who is not signed in sees this origin’s address, one language for all examples, and is sent to sign-in and back`,
    `${documentation} › is told which kind of model embeddings need while there is none, and then sees an example with the one of the registry`,
    `${documentation} › who is signed in creates a key that fills every example, sees its limit, and gets a streamed answer to a call of their own`,
    'web/src/features/docs/contents.test.ts › lists all API calls of the contract',
  ],
  'docs.examples': [
    `${documentation} › %s works with curl and with the official client for Node`,
    `${documentation} › works with the official client for Python`,
    `${documentation} › without a key gets the server’s message about it`,
  ],
  'app.offline': [
    `${installed} › opens offline with the draft, and caches nothing of the API, the sockets and shared pages`,
    `${installed} › opens offline for a guest, and says so instead of waiting for a sign-in`,
  ],
  'app.update': [`${installed} › announces a new version quietly, and runs it after a reload, with the draft`],
  'app.install': [
    `${installed} › can be installed from the account menu where the browser supports it, with a manifest whose icons exist`,
  ],
  'share.public': [
    'services/all-in-one/test/sharing.test.ts › shows strangers on another replica its texts and model, and nothing about its owner',
    'tests/e2e/test/sharing.test.ts › is read by a stranger without what its owner hid, continued after signing in, and gone when it is revoked',
    'services/all-in-one/test/sharing.test.ts › with images includes the generated ones, and no other file of the chat',
  ],
  'share.dates': [
    'web/src/features/share/page/days-ago.test.ts › a chat shared at %s was shared %s (%i) by the calendar of the visitor',
  ],
  'share.errors': ['web/src/features/share/page/failure.test.ts › %s has its own words on the page of a shared chat'],
  'share.owner': [
    'services/share/test/sharing.test.ts › is created once per chat, renewed under its id, and loses omitted options',
    'services/share/test/sharing.test.ts › that has expired, is truncated or differs in case gives the same 404 as one that never existed',
    'services/share/test/sharing.test.ts › are listed in pages and revoked one by one or all at once, only by their owner',
    'services/all-in-one/test/sharing.test.ts › is renewed under its id with the selected messages, and refuses messages of another chat',
  ],
  'share.ends': [
    'services/all-in-one/test/sharing.test.ts › ends on every replica when its owner revokes it, deletes the chat, is banned, or is erased',
    'services/share/test/sharing.test.ts › are erased and exported with the account',
    'services/share/test/sharing.test.ts › that is revoked while it is open gives nothing more: no further page, and no second look',
    'services/share/test/sharing.test.ts › of a chat that is erased while the link is made is dead from the beginning, on every replica and as a card',
  ],
  'share.password': [
    'services/share/test/sharing.test.ts › with a password allows ten wrong attempts per network and minute, and right ones do not count',
    'tests/e2e/test/sharing.test.ts › requires its password from a stranger, and ends when its chat is deleted, which announces that',
    'services/all-in-one/test/sharing.test.ts › with a password is shown to those who know it, and reveals nothing before',
  ],
  'share.steady': [
    'tests/e2e/test/shared-first-screen.test.ts › is there before any script but that of the theme, whose elements the application takes over without moving one',
    'services/share/src/first-screen/first-screen.test.ts › has formulas as they are set, and says so',
  ],
  'share.continue': [
    'services/all-in-one/test/sharing.test.ts › is continued in a copy by a user who may see it, and by no one else',
  ],
  'login.sign-on': [
    'services/auth/test/single-sign-on.test.ts › single sign-on is offered under its name only if there is a provider',
    'tests/e2e/test/single-sign-on.test.ts › signs a guest in with their chat and draft, and next time into the same account, on the page they wanted',
    'tests/e2e/test/words.test.ts › the sign-in form once the single sign-on button is known, so that the form does not shift',
  ],
  'verification.options': [
    'services/auth/test/verification.test.ts › another code invalidates the previous one',
    'tests/e2e/test/accounts.test.ts › registration shows mistakes, and takes a new code after a change of address',
  ],
  'reset.invalid': [
    'tests/e2e/test/accounts.test.ts › a forgotten password gets the same response for every address, a link that works once, and signs every other device out',
  ],
  'soft-sign-in': [
    'tests/e2e/test/accounts.test.ts › signing in migrates the chat and opens it',
    'tests/e2e/test/accounts.test.ts › registration migrates the chat, even if the page is reloaded before the code is typed',
    'tests/e2e/test/accounts.test.ts › a migration whose response is lost creates the chat only once',
    'tests/e2e/test/accounts.test.ts › a running answer is awaited and migrated in full',
    'tests/e2e/test/single-sign-on.test.ts › signs a guest in with their chat and draft, and next time into the same account, on the page they wanted',
  ],
  'profile.personal': [
    'tests/e2e/test/profile.test.ts › save a new name, and show at the field that a name is taken',
    'tests/e2e/test/profile.test.ts › change the password, and sign the other browser out',
  ],
  'profile.appearance': [
    'tests/e2e/test/profile.test.ts › apply the chosen colours at once, in the other tab, and before the first paint of the next load',
    'web/src/shared/theme/colors.test.ts › are legible as text on every surface and on their own tints',
  ],
  'profile.preferences': [
    'tests/e2e/test/profile.test.ts › apply to new chats: the default model, and reasoning only if enabled',
  ],
  'profile.keys': [
    'tests/e2e/test/keys.test.ts › a key is created with its secret shown once and copied, renamed, rotated, and revoked by typing its label',
  ],
  'profile.usage': [
    'tests/e2e/test/keys.test.ts › an answer has a receipt, appears in the usage by model, by day and as CSV, and triggers the warning about credits until acknowledged',
    'web/src/features/profile/data-table.test.ts › a table exported as CSV has plain numbers and no cells that a spreadsheet would execute',
  ],
  'profile.memory': [
    'tests/e2e/test/memory.test.ts › is searched, edited, bulk-removed and cleared in its panel, each with undo',
    'tests/e2e/test/memory.test.ts › has settings that are saved as they are chosen, and a pattern that cannot run is refused at its field',
  ],
  'memory.in-chat': [
    'tests/e2e/test/memory.test.ts › is suggested from a user’s message, approved, used in a new chat, forgotten there, and gone from the next prompt',
    'tests/e2e/test/memory.test.ts › is saved from a message on request, and can be switched off for one chat while on in the others',
    'tests/e2e/test/memory.test.ts › shows only a small hint when its service does not respond',
  ],
  'memory.commands': [
    'tests/e2e/test/memory.test.ts › is written, found and forgotten by commands, completed from the list by keyboard alone',
    'tests/e2e/test/memory.test.ts › asks a guest to sign in, and keeps their text',
  ],
  'warning.acknowledged': [
    'tests/e2e/test/keys.test.ts › an answer has a receipt, appears in the usage by model, by day and as CSV, and triggers the warning about credits until acknowledged',
  ],
  'profile.failed': [
    'tests/e2e/test/profile.test.ts › keep what was typed while the server is down, and save it once it is back',
    'tests/e2e/test/profile.test.ts › revert a preference that could not be saved, and say so',
  ],
  'overlay.suspended': [
    'web/src/shared/ui/overlays.test.ts › the suspension overlay offers only to sign out',
    'tests/e2e/test/journey.test.ts › sees a ban, and its end, at once',
  ],
  'overlay.loading': [
    'web/src/shared/ui/overlays.test.ts › the loading overlay is blank at first',
    'tests/e2e/test/words.test.ts › nothing for the first 150 ms of loading, then what is loading',
  ],
  'overlay.loading-texts': [
    'web/src/shared/ui/overlays.test.ts › the loading overlay of %s reads “%s”',
    'tests/e2e/test/words.test.ts › nothing for the first 150 ms of loading, then what is loading',
    'tests/e2e/test/words.test.ts › while a screen loads: “Loading…”',
  ],
  'toast.authentication': ['tests/e2e/test/words.test.ts › why signing in or registering failed'],
  'boundary.levels': [
    'tests/e2e/test/words.test.ts › the actions on a broken page, and the offer to refresh after three attempts',
    'tests/e2e/test/words.test.ts › the fallback when a part of the page breaks, and when the whole application does',
  ],
  'boundary.buttons': [
    'tests/e2e/test/words.test.ts › the actions on a broken page, and the offer to refresh after three attempts',
  ],
  'boundary.retries': [
    'tests/e2e/test/words.test.ts › the actions on a broken page, and the offer to refresh after three attempts',
  ],
  'boundary.route-change': [
    'tests/e2e/test/words.test.ts › the actions on a broken page, and the offer to refresh after three attempts',
  ],
  'boundary.log': [
    'web/src/shared/session/error-log.test.ts › the last ten errors are stored in the browser',
    'tests/e2e/test/words.test.ts › the actions on a broken page, and the offer to refresh after three attempts',
  ],
  'chat.composer': [
    'tests/e2e/test/files.test.ts › that are pasted, or dropped anywhere, are sent with the text, and the draft is cleared',
    'tests/e2e/test/composer.test.ts › are switched on in the menu, survive a reload, and change the prompt',
    'tests/e2e/test/composer.test.ts › can be chosen by a command, with a menu that is operated by keyboard',
    'tests/e2e/test/composer.test.ts › for finance show prices, and a watchlist that refuses an invalid ticker',
    'tests/e2e/test/files.test.ts › are generated in image mode, which shows its model and price',
    'tests/e2e/test/resilience.test.ts › retries the first message of a chat in that chat, also with another model',
  ],
  'chat.shortcuts': [
    'tests/e2e/test/input.test.ts › are changed without a mouse, shown everywhere, applied in other tabs at once, and kept after a reload',
    'tests/e2e/test/input.test.ts › are refused where the browser or other shortcuts need them, can be swapped, and can be reset',
  ],
  'chat.dictation': [
    'tests/e2e/test/input.test.ts › explains once who may hear it, then writes phrases at the cursor, undoes them one by one, and never sends by itself',
    'tests/e2e/test/input.test.ts › ends on Escape, on sending and when the page is hidden, and keeps the text heard so far',
    'tests/e2e/test/input.test.ts › says why it failed, and can be restarted',
    'tests/e2e/test/input.test.ts › is not offered by a browser without speech recognition',
  ],
  'chat.list': ['tests/e2e/test/journey.test.ts › renames, pins, deletes and undoes, and bulk-deletes five chats'],
  'chat.guest-list': [
    'tests/e2e/test/words.test.ts › no chats to a visitor, or the sign-in where guests are not allowed',
  ],

  'user.fields': [
    'services/auth/test/shapes.test.ts › a user has rights, address, whether it is confirmed, and preferences that save chats',
  ],
  'user.admin-fields': [
    'services/auth/test/shapes.test.ts › a user in the admins’ list has an _id and whether they are banned',
  ],
  'auth.answer': [
    'services/auth/test/shapes.test.ts › a user has rights, address, whether it is confirmed, and preferences that save chats',
    'services/auth/test/sign-in.test.ts › a sign-in to an unverified account asks for the code instead of signing in',
  ],
  'admin.stats': [
    'services/auth/test/shapes.test.ts › the statistics of all users has five counts, and what the last week added to two of them',
    'services/auth/test/admin.test.ts › admins get the numbers of users',
  ],
  'admin.settings': [
    'services/auth/test/shapes.test.ts › the settings starts with registration on, by both names, 2 messages for guests and a warning at 80 percent',
  ],
  'chat.fields': ['services/chat/test/shapes.test.ts › a chat has id, title, messages, model and both times'],
  'message.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all documented fields',
  ],
  'attachment.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all documented fields',
    'services/chat/test/attachments.test.ts › are fetched and kept',
  ],
  'attachment.again': [
    'services/chat/test/attachments.test.ts › keeps its files until the last of their chats is deleted, however often each was sent',
    'services/chat/test/attachments.test.ts › leaves no file for good when it was refused',
    'tests/e2e/test/files.test.ts › that were sent are found by a hash sign and attached to another chat by key and mouse, without an upload',
  ],
  'toolcall.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all documented fields',
  ],
  'result.fields': [
    'services/chat/test/shapes.test.ts › a message, its attachments, tool calls and search results has all documented fields',
  ],
  'guest.fields': [
    'services/chat/test/shapes.test.ts › a guest has id, limit, remaining messages and the time of the reset',
  ],
  'hierarchy.fields': [
    'services/llm-router/test/registry.test.ts › has groups of providers, notices and prices, and nothing secret',
  ],
  'stored.locally': [
    'web/src/shared/session/sign-in.test.ts › signing in stores token and user for the next visit, and removes the e-mail address and the guest',
    'web/src/shared/api/http.test.ts › of a guest sends the guest id and stores the returned one',
    'web/src/shared/session/error-log.test.ts › the last ten errors are stored in the browser',
    'tests/e2e/test/words.test.ts › the default theme delgdark where none was chosen',
  ],
} as const satisfies Partial<Coverage<RequirementId>>
