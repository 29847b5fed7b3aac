/** What the product promises, one sentence each, by the part of the product it belongs to. Ids are stable; tests are named in `evidence/`. */
export const requirements = {
  'Screens and routes': {
    'route.chat':
      'The chat at / opens for who is signed in and for a visitor whom the guest check admits; anybody else goes to /login and the wanted path is remembered.',
    'route.login': 'Somebody signed in who opens /login goes to /.',
    'route.register': 'Somebody signed in who opens /register goes to /.',
    'route.profile': 'The profile at /profile asks for sign-in and leads back to it.',
    'route.privacy':
      'The privacy policy at /privacy is public and dated 2025-08-10; its button has one’s data mailed after sign-in.',
    'login.sign-on': 'A button of single sign-on stands at sign-in where a provider is set up, and only there.',
    'verification.options':
      'Who waits for a code may have a new one sent, which ends the one before, or change the address.',
    'reset.invalid': 'A link that is invalid has a screen of its own, with the way to a new one.',
    'soft-sign-in':
      'A guest who signs in takes their chat and draft along, once, also when a try fails or an answer still runs.',
    'profile.personal':
      'The profile has personal information, and a change of password that signs every other browser out.',
    'profile.appearance':
      'Appearance has a light and a dark theme and four colours, which hold in every tab and browser of the account.',
    'profile.preferences':
      'Preferences have a default text and image model, whether AI thinking is shown, and auto save; each takes effect.',
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
    'duplicate.guard': 'A message identical to one of the last 10 s is not added twice unless forced.',
    'realtime.rooms':
      'The client joins a chat when it is selected, leaves it on change, and rejoins after a reconnection.',
    'model.locked-switch':
      'When the selected model becomes locked for somebody who is not an admin, the first unlocked model is chosen.',
    'chat.created': 'A message without a chat id makes a chat.',
    'chat.title': 'Its title is the first 50 characters of the message, with an ellipsis when there were more.',
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
    'call.admin-cache': 'POST /admin/cache/clear',
    'call.admin-sign-out': 'DELETE /admin/users/{id}/sessions',
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
  'Hostile requests': {
    'hostile.packed': 'A body with a content-encoding is refused before it is unpacked.',
    'hostile.json': 'JSON that is deeper, or holds more values, than its route needs is refused before it is parsed.',
    'hostile.slow': 'A body that does not go on is refused, and keeps nobody else waiting.',
    'hostile.import': 'An import, however much is in it, keeps nobody else waiting.',
    'hostile.sockets': 'A socket on which nobody signs in is cut off, and keeps nobody else out.',
    'hostile.host':
      'A page of another site reads and changes nothing, under its own name or one that it had lead here; people reach Parley by PUBLIC_URL and EXTRA_ORIGINS, and by every name of their own machine where that is one.',
  },
} as const

type Sections = typeof requirements
/** The id of a promise. */
export type RequirementId = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections] & string
