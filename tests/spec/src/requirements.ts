import { administrationRequirements } from './requirements/administration.ts'
import { languageRequirements } from './requirements/languages.ts'
import { memoryRequirements } from './requirements/memory.ts'

/** The product's requirements, one sentence each, by area. Ids are stable; `evidence/` names their tests. */
export const requirements = {
  'Screens and routes': {
    'route.chat':
      'The chat at / opens for who is signed in and for a visitor whom the guest check admits; anybody else goes to /login and the wanted path is remembered.',
    'route.login': 'Somebody signed in who opens /login goes to /.',
    'route.register': 'Somebody signed in who opens /register goes to /.',
    'route.profile': 'The profile at /profile asks for sign-in and leads back to it.',
    'route.privacy':
      'The privacy policy at /privacy is public and dated 2025-08-10; its button has one’s data mailed after sign-in.',
    'docs.api': 'The API documentation at /docs/api is public and whole; it creates a key and calls the API.',
    'docs.examples': 'Each example of the API documentation works as it stands, in curl, Node and Python.',
    'app.offline': 'The application opens without a network, with the draft; no answer of the server is kept for that.',
    'app.update': 'A new version is told of quietly, and a reload has it and the draft.',
    'app.install': 'The application can be installed, from the account menu where the browser offers it.',
    'share.public': 'A shared chat at /s/{id} is public: text, day, a powered-by line, nothing of its owner.',
    'share.dates': 'The shared date reads today, yesterday, N days ago or N weeks ago, by the day of the visitor.',
    'share.errors': 'The page of a shared chat has its own text for each way in which it cannot be loaded.',
    'share.owner': 'A link has expiry, password and redaction, is renewed under its id, and revoked alone or with all.',
    'share.ends': 'Revocation, deletion of the chat, ban and erasure end a link on every replica.',
    'share.password': 'Wrong passwords of a link are throttled, for each link and network.',
    'share.continue': 'A signed-in user continues a shared chat in a copy of their own.',
    'login.sign-on': 'A button of single sign-on stands at sign-in where a provider is set up, and only there.',
    'verification.options': 'Who waits for a code may have a new one sent, which ends the older, or another address.',
    'reset.invalid': 'A link that is invalid has a screen of its own, with the way to a new one.',
    'soft-sign-in':
      'A guest who signs in takes their chat and draft along, once, also when a try fails or an answer still runs.',
    'profile.personal':
      'The profile has personal information, and a change of password that signs every other browser out.',
    'profile.appearance':
      'Appearance has a light and a dark theme and four colours, which hold in every tab and browser of the account.',
    'profile.preferences':
      'Preferences have a default text and image model, whether AI thinking is shown, and auto save; each takes effect.',
    'profile.keys':
      'The API Keys section creates keys, lists them with tier, limits and usage, and rotates and revokes them; a secret is shown once.',
    'profile.usage':
      'The Usage section has a per-model credit usage table, the same by day, receipts, and all of it as CSV; an answer has its receipt.',
    'profile.memory':
      'The Memory section lists, finds, edits, removes, clears and restores memories, with their history and the message each came from; suggestions are approved or dismissed one by one or all at once; settings and learning profile have a view each.',
    'memory.in-chat':
      'An answer names the memories it used, each of which can be forgotten there, and says when its question led to one; memory can be switched off for a chat, and an answer made without it says so.',
    'memory.commands':
      '/remember, /memories, /forget and “Remember this” on a message change what is remembered; a guest is asked to sign in.',
    'warning.acknowledged': 'The warning that most credits are used goes for good when it is acknowledged.',
    'profile.failed': 'A profile that could not be kept reads “Failed to update profile”.',
    'overlay.suspended':
      'A banned person sees the overlay “Account Suspended” with the text “Your account has been banned. Please contact support for assistance.”',
    'overlay.loading': 'The loading overlay appears only after 150 ms.',
    'overlay.loading-texts': 'It reads “Authenticating…”, “Loading admin data…” or “Loading…”.',
    'toast.authentication': 'A toast shows an authentication error.',
    'boundary.levels':
      'The error boundary has the levels component, page and application with the titles “Component Error”, “Page Error” and “Application Error”.',
    'boundary.buttons': 'It offers Try Again, Go Home and Show Details.',
    'boundary.retries': 'After more than 3 retries it asks whether to refresh the page.',
    'boundary.route-change': 'Its error clears when the address changes.',
    'boundary.log': 'The last 10 errors are kept locally.',
    'chat.composer':
      'The chat screen lets people write, attach images, pick a model, switch on web search, study mode and finance mode, and generate images.',
    'chat.shortcuts':
      'Each shortcut can be given other keys, which are checked, shown wherever keys are shown, and hold in every tab of the browser.',
    'chat.dictation':
      'Where the browser can, a message is dictated at the cursor, after it was said once who may hear it; it is sent by nobody but the person.',
    'chat.list': 'Signed-in people have a list of chats with rename, delete and bulk delete.',
    'chat.guest-list': 'Guests see none of the history features.',
  },
  'Entities and their fields': {
    'user.fields':
      'A user has isAdmin, isSuperAdmin, isBanned, email, emailVerified and preferences with defaultModel and autoSaveChats, true by default.',
    'user.admin-fields': 'In lists of admins a user has _id and banned.',
    'auth.answer': 'Authentication answers token, user and emailVerificationRequired.',
    'admin.stats': 'Statistics count totalUsers, bannedUsers, activeToday, oauthUsers and localUsers.',
    'admin.settings': 'Settings hold registrationEnabled and the switches local and oauth.',
    'chat.fields': 'A chat has _id, title, messages, modelUsed, createdAt and updatedAt.',
    'message.fields':
      'A message has id, role, content, reasoning, attachments, toolCalls, webSearchQuery and webSearchResults.',
    'attachment.fields':
      'An attachment has a type, image by default, dataUrl or url, detail, high by default, name and size.',
    'attachment.again':
      'A file that was sent is found by # in the composer and attached to another message without an upload; it is there until the last chat that has it is deleted, and a message with one that is gone is refused by its name.',
    'toolcall.fields':
      'A tool call has toolName, toolCallId, parameters, status, result, resultNormalized, error and timestamp.',
    'result.fields': 'A search result has title, url, summary, publishedDate, author, highlights, score and domain.',
    'guest.fields': 'Guest information has remainingMessages, messageLimit, nextResetDate and id.',
    'hierarchy.fields': 'Providers contain groups, groups contain models with id and locked.',
    'stored.locally':
      'The browser keeps token, user, theme (delgdark by default), the guest session and the error log.',
  },
  'States and transitions': {
    'session.stored': 'Sign-in, registration and verification store token and user.',
    'session.logout': 'Signing out clears them even when the call fails.',
    'email.verification': 'After registration the server may require that the e-mail address is verified.',
    'email.update': 'Changing the address sets emailVerified to false.',
    'guest.mode': 'Guest mode is on when there is no token and the guest check succeeds.',
    'guest.model': 'It forces model v3.',
    'guest.no-history': 'History, rename and delete are unavailable to guests.',
    'tool.status':
      'A call with an error is error, with a result completed, with parameters running, and pending otherwise.',
    'search.steps':
      'A search shows “Searching the web…”, each address, “Processing content...”, then the merged results.',
    'search.failed': 'When it fails it shows “Web search failed”.',
    'stream.state': 'An answer streams from the send until the stream ends.',
    'stream.silence': 'After 3 seconds without anything new the thread says what is waited for, with Stop.',
    'stream.delay':
      'A provider’s wish to wait, a retry and a fallback are told as they happen, to the owner’s windows and nobody else’s, without a word of the provider’s.',
    'duplicate.guard': 'A message identical to one of the last 10 s is not added twice unless forced.',
    'realtime.rooms':
      'The client joins a chat when it is selected, leaves it on change, and rejoins after a reconnection.',
    'model.locked-switch':
      'When the selected model becomes locked for somebody who is not an admin, the first unlocked model is chosen.',
    'chat.created': 'A message without a chat id makes a chat.',
    'chat.title': 'Its title is the first 50 characters of the message, with an ellipsis when there were more.',
    'chat.continue':
      'An answer that was stopped, broke off or reached its length limit goes on in the same message, as one text, charged by generation; where nothing comes it stays as it was, free of charge.',
    'chat.archive':
      'Chats are archived and taken out again, several at once too: they are out of the list and of a search, in a list of their own that is searched apart, and back once a message is written in them.',
    'chat.model-title':
      'Where admins have it so, the cheapest model titles a new chat after its first answer, charged to nobody; a title that its user gave stays, and the old one does when that fails.',
    'chat.follow-ups':
      'Where admins have it so, a new answer of a signed-in person has up to three suggestions of what to ask next, which fill the composer, are charged to nobody and are off by a preference.',
    'chat.list-refresh': 'The list refreshes 500 ms after a new chat.',
  },
  'Validation rules': {
    'send.blank': 'Empty and blank messages are not sent.',
    'send.cleaned': 'What goes to the model is cleaned of repeated words, repeated letters and doubled punctuation.',
    'send.locked':
      'A locked model refuses who is not an admin: “This model is currently unavailable. Please select a different model.”',
    'image.prompt': 'An image needs a prompt that is not empty.',
    'image.once': 'No second image is asked for while one is being made.',
    'bulk.empty': 'Bulk delete of nothing does nothing.',
    'email.lowercase': 'The address of a change of e-mail is lowercased.',
  },
  'Roles and permissions': {
    'role.guest': 'A guest chats only, with model v3 and a limited number of messages.',
    'role.user': 'A user has history, unlocked models and a profile.',
    'role.admin': 'An admin may use locked models and administrate.',
    'role.admin-ban': 'An admin may ban and unban, change who is admin, and change registration.',
    'role.banned': 'Banned people see the suspension overlay.',
  },
  Calls: {
    'call.timeout': 'Calls have 15 s.',
    'call.headers': 'They carry the guest session when there is one, and Bearer authorisation when signed in.',
    'call.login': 'POST /auth/login',
    'call.register': 'POST /auth/register',
    'call.logout': 'POST /auth/logout',
    'call.verify-email': 'POST /auth/verify-email',
    'call.resend-verification': 'POST /auth/resend-verification',
    'call.update-email': 'POST /auth/update-email',
    'call.auth-config': 'GET /auth/config',
    'call.refresh': 'POST /auth/refresh',
    'call.jwks': 'GET /auth/.well-known/jwks.json',
    'call.password-reset-request': 'POST /auth/password-reset-request answers everybody alike.',
    'call.password-reset-confirm':
      'POST /auth/password-reset-confirm takes a link once within 30 minutes and ends every session.',
    'call.oauth-start': 'GET /auth/oauth/start',
    'call.oauth-callback': 'POST /auth/oauth/callback',
    'call.oauth-link': 'POST /auth/oauth/link gives an account a second way in by its password.',
    'call.profile': 'GET and PATCH /user/profile',
    'call.change-password': 'POST /user/change-password ends every other session.',
    'call.sessions': 'GET /user/sessions',
    'call.end-session':
      'DELETE /user/sessions/{id}, and of all others at once, is felt on every replica within a second.',
    'call.data-export':
      'POST /user/data-export has a ZIP of what every service keeps mailed as a link, once within the cooldown.',
    'call.delete-account':
      'DELETE /user erases the account and everything it owns in every service, and a receipt is mailed.',
    'call.admin-users': 'GET /admin/users',
    'call.admin-stats': 'GET /admin/stats',
    'call.admin-settings': 'GET and PATCH /admin/settings',
    'call.admin-user': 'PATCH /admin/users/{id}',
    'call.admin-audit': 'GET /admin/audit',
    'call.admin-undo': 'POST /admin/audit/{id}/undo',
    'call.admin-one-user': 'GET /admin/users/{id}',
    'call.admin-view-as': 'POST /admin/users/{id}/view-as',
    'call.admin-cache': 'POST /admin/cache/clear',
    'call.admin-sign-out': 'POST /admin/users/{id}/sessions/end',
    'call.hierarchy': 'GET /chat/models/hierarchy',
    'call.history': 'GET /chat/history',
    'call.create': 'POST /chat/history',
    'call.chat': 'GET /chat/history/{id}',
    'call.delete': 'DELETE /chat/history/{id}',
    'call.rename': 'PUT /chat/history/{id}/rename',
    'call.merge': 'PUT /chat/history',
    'call.bulk': 'DELETE /chat/bulk answers deleted, notFound and unauthorized.',
    'call.clear': 'DELETE /api/chats clears all chats.',
    'call.guest-info': 'GET /chat/guest-info answers the guest session and a message.',
    'call.image': 'POST /chat/image answers imageUrl.',
    'call.send': 'POST /api/chat answers a stream.',
    'stream.json': 'The answer of a send is an event stream or JSON.',
    'stream.guest-headers': 'x-guest-session-id and x-guest-remaining-messages are read from it.',
    'stream.events':
      'Events carry chatId, new_chat_created, title, guestInfo, web_search_url, url_content_processing, tool_call_start, tool_call_result, tool_call_error, text, reasoning, done and error.',
    'stream.end': 'The end marker is [DONE].',
    'socket.place': 'Sockets are at /realtime under /socket.io with the token in the handshake.',
    'socket.client': 'The client emits join and leave.',
    'socket.server':
      'The server emits joined, left, chat:init, msg:append, stream:delta, stream:tool, stream:websearch, stream:done, chat:update, chat:delete and chat:error.',
    'guest-info.401': 'A 401 means that the visitor is not a guest.',
    'guest-info.failure': 'Any other failure assumes 2 messages and a reset in 7 days.',
  },
  'Error catalogue': {
    'error.server-text': 'A server’s error text is shown as it comes.',
    'error.login': '“Failed to login”',
    'error.register': '“Failed to register”, where the server refuses without a word.',
    'error.register-later':
      '“Registration failed. Please try again later.”, where the server is out of reach or broken.',
    'error.code': '“Invalid or expired code”',
    'error.oauth-start': '“Failed to initiate OAuth login. Please try again.”',
    'error.oauth-callback':
      '“No authorization code received from authentication server.”, “Missing state parameter (required for security).”, “Invalid state parameter, possible CSRF attack detected.”',
    'error.oauth-exchange': '“Authentication failed during token exchange.”',
    'error.reset-link': '“Invalid Reset Link”, which expires after 30 minutes.',
    'error.registration-off': '“Registration is currently disabled by the administrator.”',
    'error.resend': '“Failed to resend verification email”',
    'error.update-email': '“Failed to update email”',
    'error.change-password': '“Failed to change password”',
    'error.models': '“Failed to load available models”',
    'error.history': '“Failed to load chat history.”',
    'error.chat': '“Failed to load chat”',
    'error.delete': '“Failed to delete chat”',
    'error.rename': '“Failed to rename chat”',
    'error.bulk': '“Failed to bulk delete chats”',
    'error.start': '“Failed to start a new chat session…”',
    'error.send':
      '“Failed to send message: …” with what happened: a timeout after 10 minutes, an answer of another form, or a network error.',
    'error.timeout': '“Response timeout. The AI model took too long to respond.”',
    'error.lost': '“Connection lost during streaming…”',
    'error.connection': '“Connection error during streaming…”',
    'error.interrupted': '“Streaming was interrupted”',
    'error.apology': 'A failure puts an apology into the answer.',
    'error.italic-note': 'An interrupted answer carries a note in italics.',
    'error.guest-history': '“Chat history is not available in guest mode…”',
    'error.guest-manage': '“Chat management is not available in guest mode…”',
    'error.guest-rename': '“Chat renaming is not available in guest mode…”',
    'error.image': '“Failed to generate image: …”',
    'error.image-url': '“No image URL received from the server.”',
    'error.search-results': '“Failed to parse search results”',
    'error.model-disabled': '“Model {id} has been disabled by the admin. Switching to an available model.”',
    'error.model-preferred': '“Your preferred model ({id}) is currently locked. Falling back to {model}.”',
    'error.model-available': '“A model is now available for use.”',
  },
  'Constants and limits': {
    'constant.http-timeout': 'A call has 15 s.',
    'constant.stream-timeout': 'An answer has 10 minutes.',
    'constant.guest-limit': 'A guest has 2 messages by default.',
    'constant.guest-reset': 'The assumed reset is in 7 days.',
    'constant.guest-model': 'The guests’ model is v3.',
    'constant.warning': 'The credit warning comes at 80 percent.',
    'constant.polling': 'Models are polled every 10 s.',
    'constant.duplicate': 'The guard against duplicates looks back 10 s.',
    'constant.title': 'Titles have 50 characters and an ellipsis.',
    'constant.list-refresh': 'The list refreshes after 500 ms.',
    'constant.overlay': 'The overlay waits 150 ms.',
    'constant.error-log': 'The error log has 10 entries.',
    'constant.retries': 'The refresh is offered after 3 retries.',
    'constant.reconnect-tries': 'The socket tries up to 20 times to reconnect.',
    'constant.reconnect-delay': 'It waits 500 ms to 5000 ms between tries.',
    'constant.connect-timeout': 'A try has 20 s.',
    'constant.theme': 'The theme is delgdark.',
    'constant.detail': 'The detail of an attachment is high.',
    'constant.fallback-cut': 'The text that stands for an empty answer is cut at 1000 characters.',
  },
  'API keys, usage and receipts': {
    'plan.window':
      'A plan has requestsPerWindow and windowMs: so many requests on all paths together, admins excepted, and then a refusal that says when to come again.',
    'warning.shown':
      'A user is shown that most of the month’s credits are used, once it is so, until they acknowledge it or the month ends.',
    'key.fields':
      'An API key has a label, its owner, the prefix sk-, a tier, when it was made and last used, custom limits, and usage, total and monthly: requests, input and output tokens, and per model those and the average response time.',
    'key.secret': 'A secret is shown once and kept as a hash; a mistyped one is told by its checksum.',
    'key.owner': 'A key is its owner’s alone.',
    'key.expiry': 'A key may expire.',
    'key.rotation': 'A rotated key keeps everything but its secret; the former one lives until the overlap ends.',
    'key.revocation': 'A revoked key is refused from then on.',
    'key.count': 'A user has at most 100 keys, also when many are made at once.',
    'key.verify':
      'An admin’s verification says that a key was found, “Verified but no matching record in the list”, or “Invalid key or verification failed”.',
    'key.audit': 'What admins do with keys stands in the audit log, without a secret.',
    'key.reset': 'Admins set the usage of one key or of all to nothing.',
    'tier.multipliers':
      'Tiers 1 to 4, basic, standard, professional and enterprise, multiply the base limit by 1, 2, 5 and 10; tier 5 has limits of its own.',
    'tier.custom-limits':
      'They are at least 10 requests (“Requests per window must be at least 10”) in 1 to 1440 minutes (“window size must be at least 1 minute”).',
    'usage.sums': 'Usage is summed by day, model, user and key, and a sum says whether a count in it was estimated.',
    'usage.once': 'What is told twice is counted once.',
    'receipt.reason': 'A receipt says what a generation held, cost and gave back, and why.',
    'receipt.free': 'What came to nothing is free, and its receipt says so.',
  },
  ...administrationRequirements,
  'Hostile requests': {
    'hostile.packed': 'A body with a content-encoding is refused before it is unpacked.',
    'hostile.json': 'JSON that is deeper, or holds more values, than its route needs is refused before it is parsed.',
    'hostile.slow': 'A body that does not go on is refused, and keeps nobody else waiting.',
    'hostile.import': 'An import, however much is in it, keeps nobody else waiting.',
    'hostile.sockets': 'A socket on which nobody signs in is cut off, and keeps nobody else out.',
    'hostile.host':
      'A page of another site reads and changes nothing, under its own name or one that it had lead here; people reach Parley by PUBLIC_URL and EXTRA_ORIGINS, and by every name of their own machine where that is one.',
  },
  'Running the system': {
    'run.health':
      'GET /admin/health shows every service, replica and engine, how far consumers are behind, outboxes, the mail queue, versions, and circuit breakers that are not closed.',
    'run.dead-letters':
      'Admins see which consumer groups gave up events since when, hand them out again (POST /admin/dead-letters/{group}/replay) or drop them (DELETE), and both stand in the audit log.',
    'run.streams': 'The health page finds a proxy between browser and server that buffers event streams.',
    'run.doctor':
      'npm run doctor, and the command doctor of every service, name what is in the way of serving and what to do: wrong variables, engines that are not reached or refuse, an older schema, services that do not answer.',
    'run.backup':
      'npm run backup writes everything that one process keeps into a file while it runs; npm run restore puts it into an empty folder, where sign-in, chats, balance, links and keys are as before.',
    'run.backup-refused':
      'A damaged backup, one of a newer version and a folder that holds data are refused, and nothing is restored.',
    'run.breakers': 'A model that is kept from calls is shown so in the picker, to admins and in the metrics.',
  },
  'Costs and limits': {
    'model.test': 'POST /admin/models/test calls a model once, saved or not, and tells its answer or why it failed.',
    'money.days':
      'GET /admin/money shows credits sold, spent and recorded, and the cost of providers by the prices of their models, for each day.',
    'money.alarm': 'A past day whose ledger, usage and provider calls do not agree raises an alarm, once.',
    'limits.preview':
      'GET /admin/limits/preview tells whom other limits would have limited in the last seven days, from recorded requests.',
  },
  'Programs with an API key': {
    'program.chat':
      'POST /v1/chat/completions answers as OpenAI does, whole and streamed, with tools, images and schemas, whatever the dialect of the model’s provider.',
    'program.clients':
      'Clients of OpenAI, of Anthropic and of compatible APIs are given the base URL and a key, and need nothing else changed.',
    'program.messages': 'POST /v1/messages answers as Anthropic does, with every text model.',
    'program.responses': 'POST /v1/responses answers as OpenAI does, with every text model.',
    'program.made': 'POST /v1/images/generations and /v1/embeddings answer as OpenAI does.',
    'program.models': 'GET /v1/models lists the models that the key may use.',
    'program.described':
      'GET /v1/openapi.json describes what a program may call, and /api/openapi.json everything, in OpenAPI 3.1 made from the schemas that check the calls.',
    'program.usage': 'GET /v1/usage tells a program what its key was used for and how often it may still call.',
    'program.owner': 'What a program used is paid by the key’s owner, and stands in the owner’s receipts.',
    'program.errors':
      'Errors have the form of OpenAI or Anthropic, and headers by which the official clients decide on retries.',
    'program.limits':
      'A key’s tier or own limits, and a model’s requests and tokens per minute, hold exactly; every answer tells them.',
    'program.charged': 'A request costs the model’s price once, when something was made, and nothing else.',
    'program.accounts':
      'Calls are balanced over several accounts of a provider, and one that is refused rests while another answers.',
    'program.exact':
      'What all generations on the web and by key cost is the sum of the receipts, of the ledger and of what the provider was called for, whatever is killed or comes twice.',
    'program.once':
      'Requests with one Idempotency-Key are one call of the provider, one charge and equal answers for a day.',
    'program.left': 'A caller who goes away ends the call of the provider.',
    'program.hostile': 'A caller cannot say where a call goes, with which headers, or how dear it gets.',
    'program.key':
      'A key calls /v1 and nothing else, and nothing else calls /v1; revoked, expired or its owner banned, it ends at once.',
  },
  ...languageRequirements,
  ...memoryRequirements,
} as const

type Sections = typeof requirements
/** The id of a requirement. */
export type RequirementId = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections] & string
