/** What admins can do and see. */
export const administrationRequirements = {
  'Acts of admins': {
    'act.version':
      'An admin who changes a model, a plan, the settings or a key that another admin has changed meanwhile is told so, with the current state.',
    'act.undo':
      'Settings, toggles and edits of models, edits and assignments of plans, bans, admin rights and tiers can be undone once, as an entry that names the first, unless the target has changed since.',
    'act.undo-right': 'Undoing requires the right to do the act.',
    'act.toggle': 'Toggling a provider is one entry that names the changed models.',
    'act.csv': 'Admins’ lists can be exported as CSV with the current filters, without cells that are formulas.',
    'act.search': 'Users, keys, models and the audit log are searchable, sortable and paged.',
    'act.index': 'Lists of users and of the audit log use indexes, whatever their size.',
    'act.view-as':
      'An admin who views the product as a user reads only what is not written by anybody, changes nothing, sees no chats, and is recorded with both names.',
    'act.manage-users':
      'User management shows a user with sessions, API keys and usage; plans show their number of users.',
  },
  'Administration screens': {
    'admin-page.access':
      'The administration opens for admins. Others are redirected to / with “You must be logged in to access the admin panel” or “You do not have permission to access the admin panel”.',
    'admin-page.sections':
      'Overview, users, models, plans, API keys, settings and the audit log each have a URL that includes their filters, order and page.',
    'admin-page.refresh':
      'Data are refreshed every 30 s, by push and manually, which says “Data refreshed”; after a failure the last values stay, read-only and with their age, with “Failed to load admin data”, and the other sections continue.',
    'admin-page.at-work':
      'What another admin changes appears at once: a user’s plan, credits, rights and ban, a plan, a model and the settings. It leaves what is typed, selected and focused. A double click acts once, and an admin who has lost the rights is refused with the reason.',
    'admin-page.csv': 'CSV has exactly the rows that match the filters.',
    'admin-page.phone': 'On a phone the sections are in a drawer, rows are cards, and everything can be done by touch.',
    'admin-page.attention':
      'The overview names problems with a link to their solution: services that are not ready, models with an open circuit breaker, dead letters, mail that waits or was refused, certificates that are about to end, and books that do not match.',
    'admin-page.activity':
      'The overview plots active users and the time to first token (p50 and p95) by day, and states both for today and the last 30 days.',
    'admin-page.overview':
      'The overview states total, local, banned and active users, with what the last week added, and plots answers and credits by web and API.',
    'admin-page.certificates':
      'Services read the certificates of the engines and the mail server that they reach over TLS, and of the public address, when an admin looks.',
    'admin-page.resend':
      'An admin has another code mailed to a user whose address is not confirmed, as an act in the audit log.',
    'admin-page.users':
      'Users are searched, banned and unbanned, singly or in bulk, and get a plan and credits (+10, +50, any whole number); admins grant admin rights, and only the super admin revokes them. A user’s page plots their usage by day.',
    'admin-page.view-as':
      'An admin views the product as a user in one tab, under a bar that names the user and ends the view: read-only, without chats, and with the view’s token only.',
    'admin-page.models':
      'Models are created, edited, copied, deleted by typing their id, and toggled singly, by provider and all; a form shows faults at their fields, and the provider’s cost and the price of an answer; fallback models are ordered by keyboard and by dragging.',
    'admin-page.plans':
      'Plans are created, edited, made the default and deleted; one in use says why it cannot be deleted, and all its users can be moved to another in one act.',
    'admin-page.keys':
      'Keys are found by owner, label and prefix; changes of tier and custom limits, verification, revocation and reset of usage are confirmed.',
    'admin-page.settings':
      'Settings take effect at once with “Settings updated”, and show who changed what and when. The built-in prompt is shown, and a prompt can be tried on a model before it is saved.',
    'admin-page.every-setting':
      'Registration, guest mode with its weekly limit, the system prompt, the credit warning and the data export cooldown are set within their bounds, and the caches of all services are cleared.',
    'admin-page.confirm':
      'Revoking a key, resetting the usage of one key or of all, deleting a plan (“Delete this plan?”) and deleting a model are confirmed first.',
    'admin-page.conflict': 'What another admin has saved meanwhile is shown as a diff before it is overwritten.',
    'admin-page.keyboard': 'Sections, forms, rows and their menus work without a mouse, including ranges of rows.',
    'admin-page.limits':
      'Rate limits of the web and of API v1 show whom they would have affected while they are typed, and take effect at once with “Rate limits updated”, or say “Failed to update rate limits”.',
    'admin-page.act-successes':
      'Each act says that it succeeded: “Key tier updated”, “Key set to custom”, “Key revoked”, “Usage reset”, “Usage reset for all keys”, “Default plan set”, “User banned”, “User unbanned”, “Model created”, “Model updated”, “Model status updated”, “Plan created”, “Plan updated”, “Plan deleted”, “Plan assigned”; and a secret without a key “Verified but no matching record in the list”.',
    'admin-page.act-failures':
      'Each failed act has its own text: “Failed to update user”, “Failed to update ban status”, “Failed to update settings”, “Failed to update tier”, “Failed to clear cache”; “Failed to revoke key”, “Failed to reset usage”; “Failed to save plan”, “Failed to delete plan”, “Failed to set default plan”, “Failed to assign plan”, “Failed to grant credits”; and “Authentication failed, log in again”.',
    'admin-page.model-failures':
      '“Failed to create a model”, “Failed to update a model”, “Failed to toggle status of a model”, “Failed to update model access”, “Failed to toggle models”, also “… of the provider”, and “Failed to delete a model” say what failed; a model that is gone reads “Model not found, refresh and retry” and, when it is deleted, “it may already be deleted”.',
    'admin-page.model-refusals':
      'Faulty fields of a model are refused with “Invalid model data”, and an update of no model with “model id required for update”.',
    'admin-page.load-failures':
      'A section that cannot be loaded says “Failed to load admin data”, “Failed to load models from the database”, “Failed to load plans” or “Failed to load keys”; one whose code failed to load is retried.',
    'admin-page.undo-refused': 'An undo is refused if its target has changed since, and names the change.',
    'admin-page.left-open': 'A page that is left open leaks no memory, and its days move on.',
  },
} as const
