import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

const journey = 'tests/e2e/test/administration.test.ts'
const atWork = 'tests/e2e/test/administration-at-work.test.ts'
const keyboard = 'tests/e2e/test/administration-keyboard.test.ts'
const leftOpen = 'tests/e2e/test/administration-left-open.test.ts'
const refusals = 'tests/e2e/test/administration-refusals.test.ts'
const settings = 'tests/e2e/test/administration-settings.test.ts'
const words = 'tests/e2e/test/administration-words.test.ts'
const registry = 'services/llm-router/test/registry.test.ts'
const admin = 'web/src/features/admin'

/** Tests of the administration in the browser. */
export const adminScreens = {
  'admin-page.access': [`${journey} › sends visitors and users home, and says why`],
  'admin-page.sections': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${atWork} › finds filters, order and page again by back, forward, a reload and the link`,
    `${atWork} › turns the pages of a list by cursor, and finds the page again after a reload`,
    `${admin}/data/use-url-state.test.ts › changing a filter keeps the other filters and returns to the first page`,
  ],
  'admin-page.refresh': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${journey} › keeps the last values, read-only, and the selection when a refresh fails, and says so`,
    'packages/kit/test/http-service.test.ts › to an admin is revalidated: 304 until it changes, and not stored by shared caches',
  ],
  'admin-page.at-work': [
    `${atWork} › sees at once what another admin changes, and keeps the search, the selection and the focus`,
    `${atWork} › sees at once a plan, credits and admin rights that another admin gives, and a plan, a model and a setting that one changes`,
    'services/realtime/test/connections.test.ts › gets users:update when any user changed, as an admin only',
    'services/realtime/test/connections.test.ts › gets users:update when another admin acted, as an admin only',
    'services/auth/test/admin.test.ts › the audit log has an action in another service once, with its time, however often its event is delivered',
    'services/realtime/src/connections/coalesced.test.ts › is done at once, and for all requests of the pause together at its end',
    `${atWork} › acts once by a double click`,
    `${atWork} › who loses the rights meanwhile is refused with the reason, and sent home once the page hears of it`,
  ],
  'admin-page.csv': [`${atWork} › gets exactly the rows that match the filters as CSV`],
  'admin-page.phone': [`${atWork} › on a phone opens sections from a drawer, which closes, and reads rows as cards`],
  'admin-page.attention': [
    `${admin}/overview/warnings.test.ts › report services that are not ready, open circuit breakers and dead letters`,
    `${admin}/overview/warnings.test.ts › report mail that has waited longer than a busy mail server takes`,
    `${admin}/overview/warnings.test.ts › report mail that failed on the last day, unless it is the few addresses that are always wrong`,
    `${admin}/overview/warnings.test.ts › report a certificate that should have been renewed: in its last three weeks, or the last quarter of a short life`,
    `${admin}/overview/warnings.test.ts › report each day on which the books differ, once`,
    'services/notifier/test/refusals.test.ts › one of two mails is reported to admins with the reason but without the address',
    'services/notifier/test/refusals.test.ts › the sender is reported to admins with the reason, while the mail waits',
  ],
  'admin-page.certificates': [
    'packages/kit/test/certificates.test.ts › that speaks TLS from the start is read',
    'packages/kit/test/certificates.test.ts › of PostgreSQL is read after its request for TLS',
    'packages/kit/test/certificates.test.ts › of mail is read after STARTTLS, however its replies are cut',
    'packages/kit/test/certificates.test.ts › that offers no TLS, closes the connection or is away is left out, and the others are read',
    'packages/kit/src/certificates/tls-servers.test.ts › are the engines that are reached over TLS, each at its own or the usual port',
    'services/gateway/test/front.test.ts › shows admins which services are ready, lack an engine or do not answer, and the certificates that end first',
  ],
  'admin-page.overview': [
    'services/auth/test/admin.test.ts › admins get the numbers of users',
    'services/billing/test/usage.test.ts › of all users is summed by day, model, user and key, over whole and partial months',
    `${words} › the numbers of users with what the last week added, and answers by web and API`,
  ],
  'admin-page.resend': [
    'services/auth/test/verification.test.ts › an admin has another code mailed to any user who has not confirmed, one a minute, and it is in the audit log',
    `${atWork} › has another code mailed to a user who has not confirmed the address, and is told when that is too soon`,
  ],
  'admin-page.activity': [
    'services/auth/test/admin.test.ts › a user is counted once on each active day, and once in 30 days',
    'services/billing/test/usage.test.ts › the time to first token is reported in total and by day, and each answer counts once',
    'services/billing/src/usage/first-token.test.ts › the time to first token of %s is accurate to 5 %%',
    `${admin}/overview/counted-days.test.ts › a day before counting began has no value, and a later day without active users has 0`,
  ],
  'admin-page.users': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${journey} › selects a range of rows by keyboard and bans them together, with their number on the button`,
    `${admin}/users/user-rights.test.ts › let an admin ban users and make them admins, and only the super admin ban admins or revoke their rights`,
  ],
  'admin-page.view-as': [
    `${journey} › shows the product as a user in one tab, read-only and without chats, until the admin stops or signs out elsewhere`,
    'web/src/shared/api/http.test.ts › while viewing as a user that fails with %s ends the view and does not use the admin’s cookie',
    'web/src/shared/session/sign-in.test.ts › keeps the stored data of the admin, whatever the server says about the user',
  ],
  'admin-page.models': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${atWork} › disables all models of a provider with their number on the button, and takes it back`,
    `${atWork} › orders fallback models by Alt and an arrow key, which keeps the focus, and saves that order`,
    `${atWork} › orders fallback models by dragging one with the mouse, and saves that order`,
    `${admin}/models/model-values.test.ts › each field that the server would reject is reported`,
    `${admin}/models/answer-price.test.ts › the price of an answer is that of its input and output tokens`,
  ],
  'admin-page.plans': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${admin}/plans/plan-values.test.ts › each field of a plan that the server would reject is reported`,
    `${journey} › moves all users of a plan that cannot be deleted for them, says that this is for good, and deletes it then`,
    'services/billing/test/admin.test.ts › moves all users of a plan to another at once, as one act with their number, so that the plan can be deleted',
  ],
  'admin-page.keys': [
    `${journey} › sets a key to custom limits within bounds, verifies its secret and revokes it`,
    'services/billing/test/key-search.test.ts › the keys that match a text are all found by their owners’ names or their own label, page by page, however many users match',
  ],
  'admin-page.settings': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    'services/llm-router/test/test-model.test.ts › a system prompt is tried on a model with a question; an empty one means the built-in prompt',
  ],
  'admin-page.every-setting': [
    `${settings} › close registration and guest mode, set the weekly limit, the credit warning, the export cooldown and the prompt, at once`,
    `${settings} › refuse values out of bounds at their fields, and change nothing`,
    `${words} › each act that succeeded in its own words`,
    'services/all-in-one/test/administration.test.ts › clears the caches of every service',
  ],
  'admin-page.confirm': [
    `${refusals} › a failed act on users or keys is explained in the dialog, which stays open for a retry`,
    `${words} › each failed act on users, keys, plans and settings in its own words`,
    `${words} › each failed act on models in its own words`,
  ],
  'admin-page.conflict': [`${journey} › shows what another admin has saved meanwhile before it is overwritten`],
  'admin-page.keyboard': [
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${journey} › selects a range of rows by keyboard and bans them together, with their number on the button`,
    `${keyboard} › adds and tests a model of another provider, assigns a plan with it to a user, changes a limit, and undoes a ban`,
    `${atWork} › selects a range with Shift and the mouse, and acts on it without the rows deselected since`,
  ],
  'admin-page.limits': [
    `${keyboard} › adds and tests a model of another provider, assigns a plan with it to a user, changes a limit, and undoes a ban`,
    `${words} › each failed act on users, keys, plans and settings in its own words`,
    'services/billing/test/limits-preview.test.ts › a preview shows whom other limits would have affected, from the reports of two gateways',
  ],
  'admin-page.act-successes': [
    `${words} › each act that succeeded in its own words`,
    `${journey} › lets an admin add a model, assign a plan, ban a user and undo it, and change a setting, without a mouse`,
    `${words} › a model that could not be created, updated or toggled, and its faulty fields, in their own words`,
    `${journey} › sets a key to custom limits within bounds, verifies its secret and revokes it`,
    `${refusals} › a failed act on users or keys is explained in the dialog, which stays open for a retry`,
  ],
  'admin-page.act-failures': [
    `${words} › each failed act on users, keys, plans and settings in its own words`,
    `${words} › the need to sign in again, when %s`,
    `${admin}/data/failure-text.test.ts › an admin’s action that fails because the session has ended asks to log in again`,
    `${refusals} › a failed act on users or keys is explained in the dialog, which stays open for a retry`,
  ],
  'admin-page.model-failures': [
    `${words} › each failed act on models in its own words`,
    `${words} › a model that could not be created, updated or toggled, and its faulty fields, in their own words`,
  ],
  'admin-page.model-refusals': [
    `${registry} › is refused %s with 422`,
    `${registry} › is told that an update needs a model id`,
  ],
  'admin-page.load-failures': [
    `${words} › each section that could not be loaded in its own words, and the age of the values that it shows`,
    `${words} › a section whose code did not come at first is opened all the same`,
  ],
  'admin-page.undo-refused': [`${refusals} › a refused undo names the conflicting change in the dialog of its entry`],
  'admin-page.left-open': [
    `${leftOpen} › moves its days forward once a day has ended`,
    `${leftOpen} › leaks no nodes, listeners, canvases, observers or memory during fifty refreshes`,
  ],
} as const satisfies Partial<Coverage<RequirementId>>
