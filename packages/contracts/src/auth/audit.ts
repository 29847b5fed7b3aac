import { z } from 'zod'
import { adminPageQuerySchema, idSchema, periodQuery, text, timeSchema } from '../primitives.ts'
import { routesFor, type ServiceName } from '../route.ts'

/** A user with their name at the time. */
const auditedUserSchema = z.object({ id: z.string(), username: z.string() })

/** The kinds of targets of admin acts. */
export const auditTargetTypes = [
  'user',
  'plan',
  'model',
  'provider',
  'key',
  'settings',
  'cache',
  'dead-letters',
] as const
/** An act of an admin. `before` and `after` contain no secrets, and are null if the target did or does not exist. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: timeSchema,
  actor: auditedUserSchema,
  /** The user as whom the admin viewed the product. */
  viewingAs: auditedUserSchema.optional(),
  /** `thing.past-tense`. */
  action: z.string(),
  target: z.object({
    /** One of `auditTargetTypes`, or a type of a newer version. */
    type: z.string(),
    /** Null for several targets. */
    id: z.string().nullable(),
    /** Its name at the time; null if unknown. */
    name: z.string().nullable(),
  }),
  before: z.unknown(),
  after: z.unknown(),
  /** Whether it can be undone, provided that the target has not changed since and there is no `undoneBy`. */
  reversible: z.boolean(),
  /** The entry that undid this one. */
  undoneBy: z.string().optional(),
  /** The entry that this one undid. */
  undoes: z.string().optional(),
  requestId: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

const admin = routesFor('auth', 'admin')
/** Routes of the audit log, for admins. */
export const auditRoutes = {
  list: admin.get('/admin/audit', {
    summary: 'The audit log, newest first',
    query: adminPageQuerySchema.extend({
      /** Id or username of an admin. */
      actor: text(64).optional(),
      action: text(64).optional(),
      /** Id of the target. */
      target: text(200).optional(),
      ...periodQuery,
    }),
    answer: z.object({
      entries: z.array(auditEntrySchema),
      nextCursor: z.string().nullable(),
      /** What users, plans and keys that the entries name by their id are called now; without those that are gone or cannot be asked for. */
      names: z.record(z.string(), z.string()),
    }),
  }),
  undo: admin.post('/admin/audit/:id/undo', {
    summary:
      'Undo an act, for admins who may do it. 409 with the difference in `details` and the present state in `current` if it was undone or the target has changed since; 422 if it cannot be undone',
    answer: z.object({ entry: auditEntrySchema }),
  }),
}

/** The undoing act, as reported by the service that owns the target. */
export const undoneActSchema = z.object({
  id: z.string(),
  at: timeSchema,
  action: z.string(),
  target: z.string().nullable(),
  targetName: z.string().optional(),
  before: z.unknown(),
  after: z.unknown(),
})

/** The state of a target before or after an act. */
const stateSchema = z.record(z.string(), z.unknown()).nullable()

/** The route by which auth requests a service to undo an act. The service's event about it has the id of the answer. */
export const undoRoute = (service: ServiceName) =>
  routesFor(service, 'service').post(`/internal/${service}/undo`, {
    summary:
      'Undo an act of an admin: 409 if it was undone or the target has changed since, 422 if it cannot be undone',
    body: z.object({
      /** The entry of the audit log to undo. */
      entryId: idSchema,
      action: text(64),
      target: text(200).nullable(),
      before: stateSchema,
      after: stateSchema,
      actorId: idSchema,
      /** It was undone before, and is not undone again: the answer is 409 with the present state. */
      undone: z.boolean().optional(),
    }),
    bodyLimit: 256 * 1024,
    answer: undoneActSchema,
  })
