import type { Coverage } from '../judge.ts'
import type { RequirementId } from '../requirements.ts'

const undoTest = 'services/auth/test/undo.test.ts'
const userTest = 'services/auth/test/admin-user.test.ts'
const plansTest = 'services/auth/test/plans.test.ts'
const registryTest = 'services/llm-router/test/registry.test.ts'
const adminTest = 'services/billing/test/admin.test.ts'
const keysTest = 'services/billing/test/keys.test.ts'

/** Tests of admins' acts, undo, search and views. */
export const adminActs = {
  'act.version': [
    `${registryTest} › is told when another admin has changed a model meanwhile, with the current model (409)`,
    `${adminTest} › refuses an update of an outdated version of a plan, and returns the current one (409)`,
    'services/auth/test/settings.test.ts › a change based on an older version of the settings is 409 with the present ones, and one without a version is not checked',
    `${keysTest} › are refused for an update of an outdated version, with the current key (409)`,
  ],
  'act.undo': [
    "services/all-in-one/test/administration.test.ts › undoes admins' acts in other services, once, with an entry that references the first",
    `${undoTest} › undoing a change of settings keeps other changes`,
    `${undoTest} › of many concurrent undos of an action one succeeds`,
    `${undoTest} › an action whose target has changed since is 409 with the difference and the present state, and can be undone once there is none`,
    `${adminTest} › undoes a change of a plan and an assignment for auth, once, and only while nothing has changed since`,
    `${keysTest} › get an undone tier back for auth, once, and only while nothing has changed since`,
  ],
  'act.undo-right': [
    `${undoTest} › undoing requires the right to perform the action: only the super admin can revoke admin rights`,
  ],
  'act.toggle': [
    `${registryTest} › auth has a toggle of a provider undone, once: the changed models are restored, in one act that names them`,
  ],
  'act.csv': [
    'packages/kit/src/admin/csv.test.ts › a text that a spreadsheet would execute is prefixed with an apostrophe, and a number is not',
    `${userTest} › the list of users as CSV has all rows that match the filters, with plan and credits as JSON`,
    `${undoTest} › the audit log is filtered by actor, action, target and time, paginated, and returned as CSV`,
    `${keysTest} › are listed by tier, by their owner’s name and including it, and as CSV`,
    `${registryTest} › finds models by text, provider and state, also as CSV`,
  ],
  'act.search': [
    `${userTest} › the list of users is filtered, sorted and paginated in every order`,
    `${userTest} › the list of users by plan contains its users, few or many, and is refused while billing is unavailable`,
  ],
  'act.index': [
    `${plansTest} › a later page of users, %s, uses an index and sorts nothing`,
    `${plansTest} › a later page of the audit log, %s, uses an index and sorts nothing`,
  ],
  'act.view-as': [
    `${userTest} › users cannot view as anybody, and admins cannot view as admins or themselves`,
    'services/gateway/test/identity.test.ts › is a user without rights when an admin views the product as that user, and may read viewable routes only',
  ],
  'act.manage-users': [
    `${adminTest} › lists plans with their number of users, also as CSV, and gives auth a plan’s users and a user’s usage`,
  ],
} as const satisfies Partial<Coverage<RequirementId>>
