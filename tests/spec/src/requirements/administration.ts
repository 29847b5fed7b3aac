/** What admins can do and see. */
export const administrationRequirements = {
  'Acts of admins': {
    'act.version':
      'Who changes a model, a plan, the settings or a key that somebody else has changed meanwhile is told so, with its present state.',
    'act.undo':
      'Settings, toggles and edits of models, edits and assignments of plans, bans, admin rights and tiers are undone once, as an entry that names the first, unless the thing has changed since.',
    'act.undo-right': 'Undoing takes the right to do the act.',
    'act.toggle': 'Toggling a provider is one entry that names the models it changed.',
    'act.csv': 'Lists of admins are also CSV of what is filtered, in which no cell is a formula.',
    'act.search':
      'Users, keys, models and the audit log are found by what admins look for, in the order and pages they ask for.',
    'act.index': 'Lists of users and of the audit log go by indexes, however many there are.',
    'act.view-as':
      'An admin who views the product as a user reads what is not written by anybody, changes nothing, sees no chats, and is on record with both names.',
    'act.manage-users':
      'User management shows a user with sessions, API keys and usage; plans say how many are on them.',
  },
  'Administration screens': {
    'admin-page.access':
      'The administration opens for admins. Others are led to / with “You must be logged in to access the admin panel” or “You do not have permission to access the admin panel”.',
    'admin-page.sections':
      'Overview, users, models, plans, API keys, settings and the audit log have an address each, with their filters, order and page in it.',
    'admin-page.refresh':
      'What is shown is refreshed every 30 s, by push and by hand, which says “Data refreshed”; after a failure the last values stay, read-only and with their age, with “Failed to load admin data”, and the other sections go on.',
    'admin-page.attention':
      'The overview names what needs an admin, with a link to where it is solved: services that are not ready, models that are kept from calls, events that were given up, mail that waits, and books that differ.',
    'admin-page.activity':
      'The overview draws active users and the time to first token (p50 and p95) by day, and tells both for today and the last 30 days.',
    'admin-page.users':
      'Users are found, banned and unbanned, one or many; get a plan and credits (+10, +50, any whole number); only the super admin makes admins. The page of one draws what they used by day.',
    'admin-page.view-as':
      'An admin sees the product as a user in one tab, under a bar that names the user and ends it: read-only, without chats, and by the token of the view alone.',
    'admin-page.models':
      'Models are created, edited, copied, deleted by typing their id, and toggled singly, by provider and all; a form names what is wrong at its field, and tells what an answer costs at the provider and is charged.',
    'admin-page.plans':
      'Plans are created, edited, made the default and deleted; one in use says why not, and all its users can be moved to another, as one act.',
    'admin-page.keys':
      'Keys are found by owner, label and prefix; tier, custom limits, verification, revocation and reset of usage are asked for and confirmed.',
    'admin-page.settings':
      'Settings take effect at once with “Settings updated”, and show who changed what when. The built-in prompt is shown, and a prompt is tried on a model before it is saved.',
    'admin-page.conflict': 'What another admin saved meanwhile is shown with its difference before it is overwritten.',
    'admin-page.keyboard': 'Sections, forms, rows and their menus work without a mouse, ranges of rows too.',
    'admin-page.limits':
      'Rate limits of the web and of API v1 say whom they would have limited while they are typed, and take effect at once with “Rate limits updated”, or say “Failed to update rate limits”.',
    'admin-page.act-failures':
      'What failed is said in words of its own: “Failed to update user”, “Failed to update ban status”, “Failed to update settings”, “Failed to update tier”, “Failed to clear cache”; “Failed to revoke key”, “Failed to reset usage”; “Failed to save plan”, “Failed to delete plan”, “Failed to set default plan”, “Failed to assign plan”, “Failed to grant credits”; and “Authentication failed, log in again”.',
    'admin-page.model-failures':
      '“Failed to toggle status of a model”, “Failed to update model access”, “Failed to toggle models” and “Failed to delete a model” say what failed; a model that is gone reads “Model not found, refresh and retry” and, when it is deleted, “it may already be deleted”.',
    'admin-page.model-refusals':
      'Faulty fields of a model are refused with “Invalid model data”, and an update of no model with “model id required for update”.',
    'admin-page.load-failures':
      'A section that cannot be loaded says “Failed to load admin data”, “Failed to load models from the database”, “Failed to load plans” or “Failed to load keys”; one whose code did not come is asked for again.',
    'admin-page.undo-refused': 'An undo of what has changed since is refused, and says what has changed.',
    'admin-page.left-open': 'A page that is left open holds no more memory after an hour, and its days move on.',
  },
} as const
