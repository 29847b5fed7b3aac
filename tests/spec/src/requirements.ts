import { administrationRequirements } from './requirements/administration.ts'
import { languageRequirements } from './requirements/languages.ts'
import { memoryRequirements } from './requirements/memory.ts'

/** The product's requirements, one sentence each, by area. Ids are stable; `evidence/` names their tests. */
export const requirements = {
  'Screens and routes': {
    'route.chat':
      'The chat at / opens for signed-in users and for visitors whom the guest check admits; all others are redirected to /login, and the requested path is remembered.',
    'route.login': 'A signed-in user who opens /login is redirected to /.',
    'route.register': 'A signed-in user who opens /register is redirected to /.',
    'route.profile': 'The profile at /profile requires sign-in and returns to it afterwards.',
    'route.privacy':
      'The privacy policy at /privacy is public and dated 2025-08-10; its button requests a copy of the user’s data by mail, after sign-in.',
    'docs.api': 'The API documentation at /docs/api is public and complete; it can create a key and call the API.',
    'docs.examples': 'Each example of the API documentation runs unchanged, in curl, Node and Python.',
    'app.offline': 'The application opens offline, with the draft; no response of the server is cached for that.',
    'app.update': 'A new version is announced quietly, and runs after a reload, with the draft.',
    'app.install': 'The application can be installed, from the account menu where the browser offers it.',
    'share.public': 'A shared chat at /s/{id} is public: text, day, a powered-by line, and nothing about its owner.',
    'share.dates': 'The shared date reads today, yesterday, N days ago or N weeks ago, in the visitor’s time zone.',
    'share.errors': 'The page of a shared chat has its own text for each reason why it cannot be loaded.',
    'share.owner':
      'A link has an expiry, a password and redaction, keeps its id when it is renewed, and is revoked alone or with all others.',
    'share.ends': 'Revocation, deletion of the chat, a ban and erasure end a link on every replica.',
    'share.password': 'Wrong passwords of a link are throttled per link and network.',
    'share.steady':
      'The first screen of a shared chat, formulas included, is there before its script, which then moves nothing.',
    'share.continue': 'A signed-in user continues a shared chat in a copy of their own.',
    'login.sign-on': 'The single sign-on button is shown at sign-in only if a provider is configured.',
    'verification.options':
      'A user waiting for a code can request a new one, which invalidates the old one, or change the address.',
    'reset.invalid': 'An invalid link has its own screen, with a way to request a new one.',
    'soft-sign-in':
      'A guest who signs in keeps their chat and draft, exactly once, even if an attempt fails or an answer is still running.',
    'profile.personal':
      'The profile has personal information, and a change of password that signs out every other browser.',
    'profile.appearance':
      'Appearance has a light and a dark theme and four colours, which apply in every tab and browser of the account.',
    'profile.preferences':
      'Preferences have a default text and image model, whether AI thinking is shown, and auto save; each takes effect.',
    'profile.keys':
      'The API Keys section creates keys, lists them with tier, limits and usage, and rotates and revokes them; a secret is shown once.',
    'profile.usage':
      'The Usage section has a table of credits per model, the same by day, receipts, and a CSV of all of it; each answer has a receipt.',
    'profile.memory':
      'The Memory section lists, searches, edits, removes, clears and restores memories, with their history and the message they came from; suggestions are approved or dismissed one by one or all at once; settings and learning profile each have a view.',
    'memory.in-chat':
      'An answer names the memories it used, each of which can be forgotten there, and says when its question led to one; memory can be switched off per chat, and an answer made without it says so.',
    'memory.commands':
      '/remember, /memories, /forget and “Remember this” on a message change the user’s memories; a guest is asked to sign in.',
    'warning.acknowledged': 'The warning that most credits are used disappears once it is acknowledged.',
    'profile.failed': 'A profile that could not be saved reads “Failed to update profile”.',
    'overlay.suspended':
      'A banned user sees the overlay “Account Suspended” with the text “Your account has been banned. Please contact support for assistance.”',
    'overlay.loading': 'The loading overlay appears only after 150 ms.',
    'overlay.loading-texts': 'It reads “Authenticating…”, “Loading admin data…” or “Loading…”.',
    'toast.authentication': 'A toast shows an authentication error.',
    'boundary.levels':
      'The error boundary has the levels component, page and application with the titles “Component Error”, “Page Error” and “Application Error”.',
    'boundary.buttons': 'It offers Try Again, Go Home and Show Details.',
    'boundary.retries': 'After more than 3 retries it asks whether to refresh the page.',
    'boundary.route-change': 'Its error clears when the address changes.',
    'boundary.log': 'The last 10 errors are stored locally.',
    'chat.composer':
      'On the chat screen users write, attach images, choose a model, switch on web search, study mode and finance mode, and generate images.',
    'chat.shortcuts':
      'Each shortcut can be given other keys, which are validated, shown wherever keys are shown, and apply in every tab of the browser.',
    'chat.dictation':
      'Where the browser supports it, a message is dictated at the cursor, after a notice about who may hear it; only the user sends it.',
    'chat.list': 'Signed-in users have a list of chats with rename, delete and bulk delete.',
    'chat.guest-list': 'Guests see none of the history features.',
  },
  'Entities and their fields': {
    'user.fields':
      'A user has isAdmin, isSuperAdmin, isBanned, email, emailVerified and preferences with defaultModel and autoSaveChats, true by default.',
    'user.admin-fields': 'In admins’ lists a user has _id and banned.',
    'auth.answer': 'Authentication returns token, user and emailVerificationRequired.',
    'admin.stats': 'Statistics count totalUsers, bannedUsers, activeToday, oauthUsers and localUsers.',
    'admin.settings': 'Settings hold registrationEnabled and the switches local and oauth.',
    'chat.fields': 'A chat has _id, title, messages, modelUsed, createdAt and updatedAt.',
    'message.fields':
      'A message has id, role, content, reasoning, attachments, toolCalls, webSearchQuery and webSearchResults.',
    'attachment.fields':
      'An attachment has a type, image by default, dataUrl or url, detail, high by default, name and size.',
    'attachment.again':
      'A sent file is found by # in the composer and attached to another message without an upload; it exists until the last chat that contains it is deleted, and a message with a missing file is refused by the file’s name.',
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
    'email.verification': 'After registration the server may require a verified e-mail address.',
    'email.update': 'Changing the address sets emailVerified to false.',
    'guest.mode': 'Guest mode is on when there is no token and the guest check succeeds.',
    'guest.model': 'It forces model v3.',
    'guest.no-history': 'History, rename and delete are unavailable to guests.',
    'tool.status':
      'A call with an error is error, with a result completed, with parameters running, and pending otherwise.',
    'search.steps':
      'A search shows “Searching the web…”, each address, “Processing content...”, then the merged results.',
    'search.failed': 'When it fails it shows “Web search failed”.',
    'stream.state': 'An answer streams from the request until the stream ends.',
    'stream.silence': 'After 3 seconds without an event the thread says what it is waiting for, with Stop.',
    'stream.delay':
      'A provider’s request to wait, a retry and a fallback are reported as they happen, to the owner’s windows only, without any of the provider’s text.',
    'duplicate.guard': 'A message identical to one of the last 10 s is not added twice unless forced.',
    'realtime.rooms':
      'The client joins a chat when it is selected, leaves it on change, and rejoins after a reconnect.',
    'model.locked-switch':
      'When the selected model becomes locked for a user who is not an admin, the first unlocked model is selected.',
    'chat.created': 'A message without a chat id creates a chat.',
    'chat.title': 'Its title is the first 50 characters of the message, with an ellipsis if there are more.',
    'chat.continue':
      'An answer that was stopped, broke off or reached its length limit continues in the same message, as one text, charged per generation; if nothing more comes it stays unchanged, free of charge.',
    'chat.archive':
      'Chats are archived and unarchived, also several at once: they leave the list and the search, have a list and search of their own, and return when a message is written in them.',
    'chat.model-title':
      'If enabled by admins, the cheapest model titles a new chat after its first answer, free of charge; a title set by the user is kept, and so is the old one if that fails.',
    'chat.follow-ups':
      'If enabled by admins, a new answer to a signed-in user has up to three suggested follow-up questions, which fill the composer, are free of charge, and can be switched off by a preference.',
    'chat.list-refresh': 'The list refreshes 500 ms after a new chat.',
  },
  'Validation rules': {
    'send.blank': 'Empty and blank messages are not sent.',
    'send.cleaned': 'Text sent to the model is cleaned of repeated words, repeated letters and doubled punctuation.',
    'send.locked':
      'A locked model refuses users who are not admins: “This model is currently unavailable. Please select a different model.”',
    'image.prompt': 'An image needs a prompt that is not empty.',
    'image.once': 'No second image is requested while one is being generated.',
    'bulk.empty': 'Bulk delete of nothing does nothing.',
    'email.lowercase': 'The address of a change of e-mail is lowercased.',
  },
  'Roles and permissions': {
    'role.guest': 'A guest can only chat, with model v3 and a limited number of messages.',
    'role.user': 'A user has history, unlocked models and a profile.',
    'role.admin': 'An admin may use locked models and the administration.',
    'role.admin-ban': 'An admin may ban and unban users, grant and revoke admin rights, and change registration.',
    'role.banned': 'Banned users see the suspension overlay.',
  },
  Calls: {
    'call.timeout': 'Calls time out after 15 s.',
    'call.headers': 'They send the guest session if there is one, and a Bearer token when signed in.',
    'call.login': 'POST /auth/login',
    'call.register': 'POST /auth/register',
    'call.logout': 'POST /auth/logout',
    'call.verify-email': 'POST /auth/verify-email',
    'call.resend-verification': 'POST /auth/resend-verification',
    'call.update-email': 'POST /auth/update-email',
    'call.auth-config': 'GET /auth/config',
    'call.refresh': 'POST /auth/refresh',
    'call.jwks': 'GET /auth/.well-known/jwks.json',
    'call.password-reset-request': 'POST /auth/password-reset-request has the same response for every address.',
    'call.password-reset-confirm':
      'POST /auth/password-reset-confirm accepts a link once within 30 minutes and ends every session.',
    'call.oauth-start': 'GET /auth/oauth/start',
    'call.oauth-callback': 'POST /auth/oauth/callback',
    'call.oauth-link': 'POST /auth/oauth/link links single sign-on to an account with its password.',
    'call.profile': 'GET and PATCH /user/profile',
    'call.change-password': 'POST /user/change-password ends every other session.',
    'call.sessions': 'GET /user/sessions',
    'call.end-session':
      'DELETE /user/sessions/{id}, and of all others at once, takes effect on every replica within a second.',
    'call.data-export':
      'POST /user/data-export mails a link to a ZIP of the data that every service stores, once per cooldown.',
    'call.delete-account':
      'DELETE /user erases the account and everything it owns in every service, and mails a receipt.',
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
    'call.bulk': 'DELETE /chat/bulk returns deleted, notFound and unauthorized.',
    'call.clear': 'DELETE /api/chats clears all chats.',
    'call.guest-info': 'GET /chat/guest-info returns the guest session and a message.',
    'call.image': 'POST /chat/image returns imageUrl.',
    'call.send': 'POST /api/chat returns a stream.',
    'stream.json': 'The response to a send is an event stream or JSON.',
    'stream.guest-headers': 'x-guest-session-id and x-guest-remaining-messages are read from it.',
    'stream.events':
      'Events carry chatId, new_chat_created, title, guestInfo, web_search_url, url_content_processing, tool_call_start, tool_call_result, tool_call_error, text, reasoning, done and error.',
    'stream.end': 'The end marker is [DONE].',
    'socket.place': 'Sockets connect to /realtime under /socket.io with the token in the handshake.',
    'socket.client': 'The client emits join and leave.',
    'socket.server':
      'The server emits joined, left, chat:init, msg:append, stream:delta, stream:tool, stream:websearch, stream:done, chat:update, chat:delete and chat:error.',
    'guest-info.401': 'A 401 means that the visitor is not a guest.',
    'guest-info.failure': 'Any other failure assumes 2 messages and a reset in 7 days.',
  },
  'Error catalogue': {
    'error.server-text': 'The server’s error text is shown unchanged.',
    'error.login': '“Failed to login”',
    'error.register': '“Failed to register”, if the server refuses without a text.',
    'error.register-later': '“Registration failed. Please try again later.”, if the server is unreachable or broken.',
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
      '“Failed to send message: …” with the reason: a timeout after 10 minutes, an unexpected response, or a network error.',
    'error.timeout': '“Response timeout. The AI model took too long to respond.”',
    'error.lost': '“Connection lost during streaming…”',
    'error.connection': '“Connection error during streaming…”',
    'error.interrupted': '“Streaming was interrupted”',
    'error.apology': 'A failure adds an apology to the answer.',
    'error.italic-note': 'An interrupted answer has a note in italics.',
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
    'constant.http-timeout': 'A call times out after 15 s.',
    'constant.stream-timeout': 'An answer times out after 10 minutes.',
    'constant.guest-limit': 'A guest has 2 messages by default.',
    'constant.guest-reset': 'The assumed reset is in 7 days.',
    'constant.guest-model': 'The guests’ model is v3.',
    'constant.warning': 'The credit warning is given at 80 per cent.',
    'constant.polling': 'Models are polled every 10 s.',
    'constant.duplicate': 'The duplicate guard looks back 10 s.',
    'constant.title': 'Titles have 50 characters and an ellipsis.',
    'constant.list-refresh': 'The list refreshes after 500 ms.',
    'constant.overlay': 'The overlay waits 150 ms.',
    'constant.error-log': 'The error log has 10 entries.',
    'constant.retries': 'A refresh is offered after 3 retries.',
    'constant.reconnect-tries': 'The socket makes up to 20 attempts to reconnect.',
    'constant.reconnect-delay': 'It waits 500 ms to 5000 ms between attempts.',
    'constant.connect-timeout': 'An attempt times out after 20 s.',
    'constant.theme': 'The default theme is delgdark.',
    'constant.detail': 'The default detail of an attachment is high.',
    'constant.fallback-cut': 'The text shown for an empty answer is cut at 1000 characters.',
  },
  'API keys, usage and receipts': {
    'plan.window':
      'A plan has requestsPerWindow and windowMs: the number of requests on all paths together, except for admins, after which a refusal says when to retry.',
    'warning.shown':
      'A user is warned that most of the month’s credits are used until they acknowledge it or the month ends.',
    'key.fields':
      'An API key has a label, its owner, the prefix sk-, a tier, the times of creation and last use, custom limits, and usage, total and monthly: requests, input and output tokens, and per model those and the average response time.',
    'key.secret': 'A secret is shown once and stored as a hash; a mistyped one is detected by its checksum.',
    'key.owner': 'A key is accessible to its owner only.',
    'key.expiry': 'A key may expire.',
    'key.rotation': 'A rotated key keeps everything but its secret; the former one is valid until the overlap ends.',
    'key.revocation': 'A revoked key is refused from then on.',
    'key.count': 'A user has at most 100 keys, even if many are created concurrently.',
    'key.verify':
      'An admin’s verification reports that a key was found, “Verified but no matching record in the list”, or “Invalid key or verification failed”.',
    'key.audit': 'Admins’ acts on keys are in the audit log, without a secret.',
    'key.reset': 'Admins reset the usage of one key or of all keys.',
    'tier.multipliers':
      'Tiers 1 to 4, basic, standard, professional and enterprise, multiply the base limit by 1, 2, 5 and 10; tier 5 has custom limits.',
    'tier.custom-limits':
      'They are at least 10 requests (“Requests per window must be at least 10”) in 1 to 1440 minutes (“window size must be at least 1 minute”).',
    'usage.sums':
      'Usage is summed by day, model, user and key, and a sum is marked if any of its counts was estimated.',
    'usage.once': 'Redelivered events are counted once.',
    'receipt.reason': 'A receipt states the credits that a generation held, cost and returned, and why.',
    'receipt.free': 'An empty answer is free, and its receipt says so.',
  },
  ...administrationRequirements,
  'Hostile requests': {
    'hostile.packed': 'A body with a content-encoding is refused before it is decompressed.',
    'hostile.json': 'JSON deeper, or with more values, than its route needs is refused before it is parsed.',
    'hostile.slow': 'A stalled body is refused, and does not delay others.',
    'hostile.import': 'An import, whatever its size, does not delay others.',
    'hostile.sockets': 'A socket that never signs in is closed, and does not keep others out.',
    'hostile.host':
      'A page of another site can read and change nothing, neither under its own name nor by DNS rebinding; Parley is reached by PUBLIC_URL and EXTRA_ORIGINS, and on a local machine by every name of that machine.',
  },
  'Running the system': {
    'run.health':
      'GET /admin/health shows every service, replica and engine, consumer lag, outboxes, the mail queue, versions, and circuit breakers that are not closed.',
    'run.dead-letters':
      'Admins see which consumer groups have dead letters and since when, replay them (POST /admin/dead-letters/{group}/replay) or drop them (DELETE), and both acts are in the audit log.',
    'run.streams': 'The health page detects a proxy between browser and server that buffers event streams.',
    'run.doctor':
      'npm run doctor, and the doctor command of every service, name obstacles and their remedies: wrong variables, engines that are unreachable or refuse, an outdated schema, services that do not answer.',
    'run.backup':
      'npm run backup writes all data of one process into a file while it runs; npm run restore restores it into an empty folder, where sign-in, chats, balance, links and keys are as before.',
    'run.backup-refused':
      'A damaged backup, one of a newer version and a folder with data are refused, and nothing is restored.',
    'run.breakers':
      'A model with an open circuit breaker is shown as such in the picker, to admins and in the metrics.',
  },
  'Costs and limits': {
    'model.test':
      'POST /admin/models/test calls a saved or unsaved model once, and returns its answer or the reason of its failure.',
    'money.days':
      'GET /admin/money shows credits sold, spent and recorded, and the cost of providers by the prices of their models, per day.',
    'money.alarm': 'A past day whose ledger, usage and provider calls do not match raises one alarm.',
    'limits.preview':
      'GET /admin/limits/preview shows whom other limits would have affected in the last seven days, from recorded requests.',
  },
  'Programs with an API key': {
    'program.chat':
      'POST /v1/chat/completions responds like OpenAI, whole and streamed, with tools, images and schemas, whatever the dialect of the model’s provider.',
    'program.clients':
      'Clients of OpenAI, Anthropic and compatible APIs work with the base URL and a key, without other changes.',
    'program.messages': 'POST /v1/messages responds like Anthropic, with every text model.',
    'program.responses': 'POST /v1/responses responds like OpenAI, with every text model.',
    'program.stored':
      'Responses are stored for their owner unless the request says otherwise, and continued by id or by references, with every model.',
    'program.made': 'POST /v1/images/generations and /v1/embeddings respond like OpenAI.',
    'program.models': 'GET /v1/models lists the models available to the key.',
    'program.described':
      'GET /v1/openapi.json describes the calls for programs, and /api/openapi.json all calls, in OpenAPI 3.1 generated from their validation schemas.',
    'program.usage': 'GET /v1/usage returns a key’s usage and remaining rate limit.',
    'program.owner': 'A program’s usage is paid by the key’s owner, and appears in the owner’s receipts.',
    'program.errors':
      'Errors have the format of OpenAI or Anthropic, with the headers by which official clients decide on retries.',
    'program.limits':
      'A key’s tier or custom limits, and a model’s requests and tokens per minute, are exact; every response states them.',
    'program.charged': 'A request costs the model’s price once if something was generated, and nothing otherwise.',
    'program.accounts':
      'Calls are balanced across several accounts of a provider, and a refused account rests while another one answers.',
    'program.exact':
      'The cost of all generations on the web and by key equals the sums of the receipts and the ledger and matches the provider’s calls, despite kills and redeliveries.',
    'program.once':
      'Requests with one Idempotency-Key cause one provider call and one charge, and get equal answers for a day.',
    'program.left': 'A disconnecting caller cancels the provider’s call.',
    'program.hostile': 'A caller cannot set the destination, the headers or the price of a call.',
    'program.key':
      'A key is valid for /v1 only, and is the only credential there; it ends at once when it is revoked or expires, or its owner is banned.',
  },
  ...languageRequirements,
  ...memoryRequirements,
} as const

type Sections = typeof requirements
/** The id of a requirement. */
export type RequirementId = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections] & string
