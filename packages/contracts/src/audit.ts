import { z } from 'zod'
import { adminPageQuerySchema, idParamsSchema, idSchema, text, timeSchema } from './primitives.ts'
import { defineRoute, type ServiceName } from './route.ts'

/** Somebody with the name that they had then. */
const auditedUserSchema = z.object({ id: z.string(), username: z.string() })

/** What acts of admins are done to. */
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
/** What an admin did. `before` and `after` hold no secret, and are null where there was or is nothing. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: timeSchema,
  actor: auditedUserSchema,
  /** The user as whom the admin saw the product. */
  viewingAs: auditedUserSchema.optional(),
  /** `thing.past-tense`. */
  action: z.string(),
  target: z.object({
    /** One of `auditTargetTypes`, or what a newer version calls it. */
    type: z.string(),
    /** Null when it is many things. */
    id: z.string().nullable(),
    /** As it was called then; null when that is not known. */
    name: z.string().nullable(),
  }),
  before: z.unknown(),
  after: z.unknown(),
  /** Whether it can be undone, as long as nothing came in between and it has no `undoneBy`. */
  reversible: z.boolean(),
  /** The entry that took it back. */
  undoneBy: z.string().optional(),
  /** The entry that it took back. */
  undoes: z.string().optional(),
  requestId: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

/** The audit log, for admins. */
export const auditRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/admin/audit',
    service: 'auth',
    access: 'admin',
    summary: 'Who changed what, newest first',
    query: adminPageQuerySchema.extend({
      /** Id or username of an admin. */
      actor: text(64).optional(),
      action: text(64).optional(),
      /** Id of what was changed. */
      target: text(200).optional(),
      from: timeSchema.or(z.iso.date()).optional(),
      /** A date is inclusive, a time is not. */
      to: timeSchema.or(z.iso.date()).optional(),
    }),
    answer: z.object({
      entries: z.array(auditEntrySchema),
      nextCursor: z.string().nullable(),
      /** What users, plans and keys that the entries name by their id are called now; without those that are gone or cannot be asked for. */
      names: z.record(z.string(), z.string()),
    }),
  }),
  undo: defineRoute({
    method: 'POST',
    path: '/admin/audit/:id/undo',
    service: 'auth',
    access: 'admin',
    summary:
      'Take back an act, by whom may do it. 409 with the difference in `details` and the present state in `current` when it was undone or the thing has changed since; 422 when it cannot be undone',
    params: idParamsSchema,
    answer: z.object({ entry: auditEntrySchema }),
  }),
}

/** An act of an admin as the service that owns its target tells it. */
export const undoneActSchema = z.object({
  id: z.string(),
  at: timeSchema,
  action: z.string(),
  target: z.string().nullable(),
  targetName: z.string().optional(),
  before: z.unknown(),
  after: z.unknown(),
})

/** What something is like before or after an act. */
const stateSchema = z.record(z.string(), z.unknown()).nullable()

/** The route by which auth has a service take back one of its acts. The event that tells of it has the id of the answer. */
export const undoRoute = <S extends ServiceName>(service: S) =>
  defineRoute({
    method: 'POST',
    path: `/internal/${service}/undo`,
    service,
    access: 'service',
    summary:
      'Take back an act of an admin: 409 when it was already or the thing has changed since, 422 when it cannot be',
    body: z.object({
      /** The entry of the audit log. */
      entryId: idSchema,
      action: text(64),
      target: text(200).nullable(),
      before: stateSchema,
      after: stateSchema,
      actorId: idSchema,
    }),
    bodyLimit: 256 * 1024,
    answer: undoneActSchema,
  })
