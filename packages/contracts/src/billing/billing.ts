import { z } from 'zod'
import { undoRoute } from '../auth/audit.ts'
import { errorBodySchema } from '../error.ts'
import { generationOutcomes } from '../events.ts'
import { usageSchema } from '../llm-router/models.ts'
import {
  filledText,
  idempotencyHeader,
  idSchema,
  listFormat,
  messageAnswerSchema,
  text,
  timeSchema,
} from '../primitives.ts'
import { routesFor } from '../route.ts'
import { requestTotals } from './usage.ts'

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
/** A plan for editing; `version` increases with every change. */
export const adminPlanSchema = planSchema.extend({ version: z.number().int() })
export type AdminPlan = z.infer<typeof adminPlanSchema>

/** Credits are integers. `remaining` excludes held credits. */
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

/** State of the credit warning. Percent of the month's credits; `warningShown` once this month's warning was due. */
export const creditWarningSchema = z.object({
  shouldShow: z.boolean(),
  threshold: z.number(),
  usagePercentage: z.number(),
  acknowledged: z.boolean(),
  warningShown: z.boolean(),
})
export type CreditWarning = z.infer<typeof creditWarningSchema>

/** A user's plan and credits in the admin's list of users. */
export const accountSummarySchema = z.object({
  plan: z.object({ id: z.string(), name: z.string() }),
  credits: z.object({ remaining: z.number(), monthly: z.number(), resetDate: timeSchema }),
})

/** A plan in the admin's list. */
export const listedPlanSchema = adminPlanSchema.extend({ users: z.number().int() })

/** A user's totals: keys and usage. */
export const accountTotalsSchema = z.object({
  keys: z.number().int(),
  usage: z.object({ ...requestTotals, credits: z.number().int() }),
})
export type AccountTotals = z.infer<typeof accountTotalsSchema>

const user = routesFor('billing', 'user')
const guest = routesFor('billing', 'guest')
const admin = routesFor('billing', 'admin')
const internal = routesFor('billing', 'service')
const onePlan = z.object({ plan: adminPlanSchema })
const allPlans = z.object({ plans: z.array(planSchema) })
/** Routes of plans and credits, for guests and users. */
export const billingRoutes = {
  creditWarning: user.get('/user/credit-warning', {
    viewable: true,
    summary: 'Whether to warn that most of the month’s credits are used',
    answer: creditWarningSchema,
  }),
  acknowledgeCreditWarning: user.post('/user/credit-warning/acknowledge', {
    summary: 'Dismiss the warning for this month',
    answer: messageAnswerSchema,
  }),
  credits: user.get('/user/credits', {
    viewable: true,
    summary: 'Plan and credits of the signed-in user',
    answer: creditsSchema,
  }),
  plans: guest.get('/plans', {
    viewable: true,
    summary: 'The plans on offer',
    answer: allPlans,
  }),
}
/** Routes of plans and credits, for admins. */
export const billingAdminRoutes = {
  plans: admin.get('/admin/plans', {
    summary: 'All plans, with the number of users on each',
    query: z.object(listFormat),
    answer: z.object({ plans: z.array(listedPlanSchema) }),
  }),
  createPlan: admin.post('/admin/plans', {
    summary: 'Add a plan',
    body: z.strictObject({
      ...planFields,
      description: planFields.description.optional(),
      requestsPerWindow: planFields.requestsPerWindow.optional(),
      windowMs: planFields.windowMs.optional(),
      default: z.boolean().optional(),
    }),
    answer: onePlan,
    status: 201,
  }),
  updatePlan: admin.patch('/admin/plans/:id', {
    summary: 'Change a plan; 409 if `version` is not current',
    body: z.strictObject({ ...planFields, version: z.number().int() }).partial(),
    answer: onePlan,
  }),
  removePlan: admin.delete('/admin/plans/:id', {
    summary: 'Delete a plan that is neither the default nor in use (409)',
    status: 204,
  }),
  setDefaultPlan: admin.post('/admin/plans/:id/default', {
    summary: 'Make a plan the default of new users',
    answer: onePlan,
  }),
  /** One act, whatever the number: it is begun by the call and goes on by itself where that takes longer. */
  movePlanUsers: admin.post('/admin/plans/:id/move-users', {
    summary:
      'Assign another plan to all users of one, as `assignPlan` does; 409 while others are being moved. More than 5,000 are moved on after the answer, which says `done: false` then',
    body: z.strictObject({ planId: idSchema }),
    answer: z.object({ done: z.boolean() }),
  }),
  assignPlan: admin.post('/admin/users/:id/plan', {
    summary: 'Assign a plan; a full month starts at once, and grants are kept',
    body: z.strictObject({ planId: idSchema }),
    answer: z.object({ credits: creditsSchema }),
  }),
  grantCredits: admin.post('/admin/users/:id/credits', {
    summary: 'Grant credits; a repeat under its Idempotency-Key grants no more, and is 409 with another amount',
    headers: idempotencyHeader,
    body: z.strictObject({ amount: z.number().int().min(1).max(1_000_000_000) }),
    answer: z.object({ credits: creditsSchema }),
  }),
}

const balanceSchema = z.object({ charged: z.number().int(), remaining: z.number().int() })
const generationParams = z.object({ generationId: idSchema })
/** Settlements per call. */
export const mostSettlements = 100
/** Holds per call. */
export const mostHolds = 50

/** Things of a kind whose names are asked for by one call. */
export const mostNames = 600

const holdSchema = z.object({
  generationId: idSchema,
  userId: idSchema,
  amount: z.number().int().min(0),
  /** True for admins: nothing is charged, but usage is recorded. */
  unlimited: z.boolean(),
  /** For the receipt; omitted by earlier versions. */
  model: text(200).optional(),
  source: z.enum(['web', 'key', 'image']).optional(),
  keyId: idSchema.optional(),
})
const heldSchema = z.object({ remaining: z.number().int() })

/** Internal routes of holds and accounts. */
export const billingInternalRoutes = {
  /** Idempotent by generation id. 402 `insufficient_credits` if the balance does not cover it. */
  hold: internal.post('/internal/holds', {
    summary: 'Hold credits for a generation',
    status: 201,
    body: holdSchema,
    answer: heldSchema,
  }),
  /** A batch of independent holds, answered in the same order. `apart`: failed, or would delay the others, and must be requested alone. */
  holdSeveral: internal.post('/internal/holds/several', {
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
  /** A heartbeat while the generation is running, so that only holds of dead generations expire. */
  renewHold: internal.post('/internal/holds/:generationId/renew', {
    summary: 'Keep a hold from expiring',
    params: generationParams,
    status: 204,
  }),
  /** Idempotent: the first settlement wins. `amount` is capped at the held amount; 0 releases. */
  settleHold: internal.post('/internal/holds/:generationId/settle', {
    summary: 'Capture or release a hold',
    params: generationParams,
    body: z.object({
      amount: z.number().int().min(0),
      /** The outcome of an image, as its event tells it, too; omitted by earlier versions. */
      ended: z
        .object({
          model: text(200),
          source: z.literal('image'),
          outcome: z.enum(generationOutcomes),
          /** Duration of the provider call, in milliseconds. */
          responseMs: z.number().int().min(0),
        })
        .optional(),
      /** The outcome of an answer, as its event tells it, too; omitted by earlier versions. */
      answered: z
        .object({
          model: z.string(),
          outcome: z.enum(generationOutcomes),
          usage: usageSchema,
          responseMs: z.number().int().min(0),
          firstTokenMs: z.number().int().min(0).optional(),
        })
        .optional(),
    }),
    answer: balanceSchema,
  }),
  /** A batch of independent settlements; generations without a hold are skipped. */
  settleHolds: internal.post('/internal/holds/settle', {
    summary: 'Capture or release several holds',
    body: z.object({
      settlements: z
        .array(z.object({ generationId: idSchema, amount: z.number().int().min(0) }))
        .min(1)
        .max(mostSettlements),
    }),
    status: 204,
  }),
  undo: undoRoute('billing'),
  /** For the admin's page about a user. */
  accountTotals: internal.get('/internal/users/:id/totals', {
    summary: 'API keys and usage of a user, of all time',
    answer: accountTotalsSchema,
  }),
  planUsers: internal.get('/internal/plans/:id/users', {
    summary: 'Users on a plan; null if there are more than 5,000',
    answer: z.object({ userIds: z.array(z.string()).nullable() }),
  }),
  planMembers: internal.post('/internal/plans/:id/members', {
    summary: 'Which of the given users are on a plan',
    body: z.object({ userIds: z.array(idSchema).max(1_000) }),
    answer: z.object({ userIds: z.array(z.string()) }),
  }),
  /** For the audit log. */
  names: internal.post('/internal/names', {
    summary: 'What plans and API keys are called, of those that there are',
    body: z.object({ planIds: z.array(idSchema).max(mostNames), keyIds: z.array(idSchema).max(mostNames) }),
    bodyLimit: 128 * 1024,
    answer: z.object({ names: z.record(z.string(), z.string()) }),
  }),
  /** For the admin's list of users: one entry per user known to billing. */
  accounts: internal.post('/internal/accounts', {
    summary: 'Plan and credits of several users',
    body: z.object({ userIds: z.array(idSchema).max(200) }),
    answer: z.object({
      accounts: z.array(accountSummarySchema.extend({ userId: z.string() })),
    }),
  }),
}
