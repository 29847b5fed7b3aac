import { z } from 'zod'
import { undoRoute } from './audit.ts'
import { errorBodySchema } from './error.ts'
import { generationOutcomes } from './events.ts'
import {
  filledText,
  idParamsSchema,
  idSchema,
  listFormat,
  messageAnswerSchema,
  text,
  timeSchema,
} from './primitives.ts'
import { defineRoute } from './route.ts'

const planFields = {
  name: filledText(60),
  description: text(500),
  /** Whole credits granted at the start of each month. */
  monthlyCredits: z.number().int().min(0).max(1_000_000_000),
  requestsPerWindow: z.number().int().min(1).max(1_000_000),
  windowMs: z.number().int().min(1_000).max(86_400_000),
}
/** A plan; exactly one is the `default` of new users. */
export const planSchema = z.object({ id: z.string(), ...planFields, default: z.boolean() })
export type Plan = z.infer<typeof planSchema>
/** A plan as admins edit it; `version` grows with every change. */
export const adminPlanSchema = planSchema.extend({ version: z.number().int() })
export type AdminPlan = z.infer<typeof adminPlanSchema>

/** Credits are whole numbers. `remaining` already excludes what is held. */
export const creditsSchema = z.object({
  plan: z.object({ id: z.string(), name: z.string(), description: z.string(), monthlyCredits: z.number().int() }),
  remaining: z.number().int(),
  held: z.number().int(),
  used: z.number().int(),
  resetDate: timeSchema,
  /** Admins are not charged. */
  unlimited: z.boolean(),
})
export type Credits = z.infer<typeof creditsSchema>

/** Whether the web app warns. Percent of the month's credits; `warningShown` once this month's warning was due. */
export const creditWarningSchema = z.object({
  shouldShow: z.boolean(),
  threshold: z.number(),
  usagePercentage: z.number(),
  acknowledged: z.boolean(),
  warningShown: z.boolean(),
})
export type CreditWarning = z.infer<typeof creditWarningSchema>

/** A user's plan and credits as the admin's list of users shows them. */
export const accountSummarySchema = z.object({
  plan: z.object({ id: z.string(), name: z.string() }),
  credits: z.object({ remaining: z.number(), monthly: z.number(), resetDate: timeSchema }),
})

/** A plan in the list of admins. */
export const listedPlanSchema = adminPlanSchema.extend({ users: z.number().int() })

/** What a user has and used in all. */
export const accountTotalsSchema = z.object({
  keys: z.number().int(),
  usage: z.object({
    requests: z.number().int(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    credits: z.number().int(),
  }),
})
export type AccountTotals = z.infer<typeof accountTotalsSchema>

const service = 'billing'
const onePlan = z.object({ plan: adminPlanSchema })
const allPlans = z.object({ plans: z.array(planSchema) })
/** Plans and credits, for guests and users. */
export const billingRoutes = {
  creditWarning: defineRoute({
    method: 'GET',
    path: '/user/credit-warning',
    service,
    access: 'user',
    viewable: true,
    summary: 'Whether to warn that most of the month’s credits are used',
    answer: creditWarningSchema,
  }),
  acknowledgeCreditWarning: defineRoute({
    method: 'POST',
    path: '/user/credit-warning/acknowledge',
    service,
    access: 'user',
    summary: 'Do not warn again this month',
    answer: messageAnswerSchema,
  }),
  credits: defineRoute({
    method: 'GET',
    path: '/user/credits',
    service,
    access: 'user',
    viewable: true,
    summary: 'Plan and credits of the signed-in user',
    answer: creditsSchema,
  }),
  plans: defineRoute({
    method: 'GET',
    path: '/plans',
    service,
    access: 'guest',
    viewable: true,
    summary: 'The plans on offer',
    answer: allPlans,
  }),
}
/** Plans and credits, for admins. */
export const billingAdminRoutes = {
  plans: defineRoute({
    method: 'GET',
    path: '/admin/plans',
    service,
    access: 'admin',
    summary: 'All plans, with the number of users on each',
    query: z.object(listFormat),
    answer: z.object({ plans: z.array(listedPlanSchema) }),
  }),
  createPlan: defineRoute({
    method: 'POST',
    path: '/admin/plans',
    service,
    access: 'admin',
    summary: 'Add a plan',
    body: z.strictObject({
      ...planFields,
      description: planFields.description.optional(),
      requestsPerWindow: planFields.requestsPerWindow.optional(),
      windowMs: planFields.windowMs.optional(),
    }),
    answer: onePlan,
    status: 201,
  }),
  updatePlan: defineRoute({
    method: 'PATCH',
    path: '/admin/plans/:id',
    service,
    access: 'admin',
    summary: 'Change a plan; 409 when `version` is not the present one',
    params: idParamsSchema,
    body: z.strictObject({ ...planFields, version: z.number().int() }).partial(),
    answer: onePlan,
  }),
  removePlan: defineRoute({
    method: 'DELETE',
    path: '/admin/plans/:id',
    service,
    access: 'admin',
    summary: 'Delete a plan that is neither the default nor in use (409)',
    params: idParamsSchema,
    status: 204,
  }),
  setDefaultPlan: defineRoute({
    method: 'POST',
    path: '/admin/plans/:id/default',
    service,
    access: 'admin',
    summary: 'Make it the plan of new users',
    params: idParamsSchema,
    answer: onePlan,
  }),
  /** One act, whatever the number: it is begun by the call and goes on by itself where that takes longer. */
  movePlanUsers: defineRoute({
    method: 'POST',
    path: '/admin/plans/:id/move-users',
    service,
    access: 'admin',
    summary:
      'Assign another plan to all users of one, as `assignPlan` does; 409 while others are being moved. More than 5,000 are moved on after the answer, which says `done: false` then',
    params: idParamsSchema,
    body: z.strictObject({ planId: idSchema }),
    answer: z.object({ done: z.boolean() }),
  }),
  assignPlan: defineRoute({
    method: 'POST',
    path: '/admin/users/:id/plan',
    service,
    access: 'admin',
    summary: 'Assign a plan; its full month starts at once and grants are kept',
    params: idParamsSchema,
    body: z.strictObject({ planId: idSchema }),
    answer: z.object({ credits: creditsSchema }),
  }),
  grantCredits: defineRoute({
    method: 'POST',
    path: '/admin/users/:id/credits',
    service,
    access: 'admin',
    summary: 'Grant credits',
    params: idParamsSchema,
    body: z.strictObject({ amount: z.number().int().min(1).max(1_000_000_000) }),
    answer: z.object({ credits: creditsSchema }),
  }),
}

const balanceSchema = z.object({ charged: z.number().int(), remaining: z.number().int() })
const generationParams = z.object({ generationId: idSchema })
/** Holds that are settled by one call. */
export const mostSettlements = 100
/** Holds that are asked for by one call. */
export const mostHolds = 50

/** Things of a kind whose names are asked for by one call. */
export const mostNames = 600

const holdSchema = z.object({
  generationId: idSchema,
  userId: idSchema,
  amount: z.number().int().min(0),
  /** The user is an admin: nothing is charged, the use is still recorded. */
  unlimited: z.boolean(),
  /** For the receipt; versions before do not tell. */
  model: text(200).optional(),
  source: z.enum(['web', 'key', 'image']).optional(),
  keyId: idSchema.optional(),
})
const heldSchema = z.object({ remaining: z.number().int() })

/** Holds and accounts, for other services. */
export const billingInternalRoutes = {
  /** Idempotent by generation: the same id asks once. 402 `insufficient_credits` when the balance does not cover it. */
  hold: defineRoute({
    method: 'POST',
    path: '/internal/holds',
    service,
    access: 'service',
    summary: 'Hold credits for a generation',
    status: 201,
    body: holdSchema,
    answer: heldSchema,
  }),
  /** The same of several, each by itself and answered in the same order. `apart`: not decided here, as it would keep the others waiting or failed; to be asked for alone. */
  holdSeveral: defineRoute({
    method: 'POST',
    path: '/internal/holds/several',
    service,
    access: 'service',
    summary: 'Hold credits for several generations',
    body: z.object({ holds: z.array(holdSchema).min(1).max(mostHolds) }),
    answer: z.object({
      results: z.array(
        z.union([
          heldSchema,
          z.object({
            refusal: errorBodySchema
              .pick({ code: true, error: true })
              .extend({ headers: z.record(z.string(), z.string()) }),
          }),
          z.object({ apart: z.literal(true) }),
        ]),
      ),
    }),
  }),
  /** Still alive: called while the generation runs, so that only holds of dead generations expire. */
  renewHold: defineRoute({
    method: 'POST',
    path: '/internal/holds/:generationId/renew',
    service,
    access: 'service',
    summary: 'Keep a hold from expiring',
    params: generationParams,
    status: 204,
  }),
  /** Idempotent: the first settlement stands. `amount` is at most what was held; 0 releases. */
  settleHold: defineRoute({
    method: 'POST',
    path: '/internal/holds/:generationId/settle',
    service,
    access: 'service',
    summary: 'Capture or release a hold',
    params: generationParams,
    body: z.object({
      amount: z.number().int().min(0),
      /** How an image ended, since no event tells of it; versions before do not tell. */
      ended: z
        .object({
          model: text(200),
          source: z.literal('image'),
          outcome: z.enum(generationOutcomes),
          /** From the call of the provider to its end, milliseconds. */
          responseMs: z.number().int().min(0),
        })
        .optional(),
    }),
    answer: balanceSchema,
  }),
  /** The same of several, each by itself; generations that nothing is held for are passed over. */
  settleHolds: defineRoute({
    method: 'POST',
    path: '/internal/holds/settle',
    service,
    access: 'service',
    summary: 'Capture or release several holds',
    body: z.object({
      settlements: z
        .array(z.object({ generationId: idSchema, amount: z.number().int().min(0) }))
        .min(1)
        .max(mostSettlements),
    }),
    status: 204,
  }),
  undo: undoRoute(service),
  /** For the admin's page of one user. */
  accountTotals: defineRoute({
    method: 'GET',
    path: '/internal/users/:id/totals',
    service,
    access: 'service',
    summary: 'API keys and usage of a user, of all time',
    params: idParamsSchema,
    answer: accountTotalsSchema,
  }),
  planUsers: defineRoute({
    method: 'GET',
    path: '/internal/plans/:id/users',
    service,
    access: 'service',
    summary: 'Users on a plan, as far as they are few: null when there are more than 5,000',
    params: idParamsSchema,
    answer: z.object({ userIds: z.array(z.string()).nullable() }),
  }),
  planMembers: defineRoute({
    method: 'POST',
    path: '/internal/plans/:id/members',
    service,
    access: 'service',
    summary: 'Those of several users who are on a plan',
    params: idParamsSchema,
    body: z.object({ userIds: z.array(idSchema).max(1_000) }),
    answer: z.object({ userIds: z.array(z.string()) }),
  }),
  /** For the audit log. */
  names: defineRoute({
    method: 'POST',
    path: '/internal/names',
    service,
    access: 'service',
    summary: 'What plans and API keys are called, of those that there are',
    body: z.object({ planIds: z.array(idSchema).max(mostNames), keyIds: z.array(idSchema).max(mostNames) }),
    bodyLimit: 128 * 1024,
    answer: z.object({ names: z.record(z.string(), z.string()) }),
  }),
  /** For the admin's user list: one entry per user that billing knows. */
  accounts: defineRoute({
    method: 'POST',
    path: '/internal/accounts',
    service,
    access: 'service',
    summary: 'Plan and credits of several users',
    body: z.object({ userIds: z.array(idSchema).max(200) }),
    answer: z.object({
      accounts: z.array(accountSummarySchema.extend({ userId: z.string() })),
    }),
  }),
}
