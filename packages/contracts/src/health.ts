import { z } from 'zod'
import { defineRoute, serviceNames } from './route.ts'

/** The answer of every service's `GET /readyz`, which only its own port has. `engines` is left out while it drains. */
export const readinessSchema = z.object({
  status: z.enum(['ready', 'unready']),
  /** Names of engines that do not answer, or `draining`. */
  failed: z.array(z.string()),
  engines: z
    .array(
      z.object({
        name: z.string(),
        ready: z.boolean(),
        /** Of an event bus: events not yet handled, per consumer group. */
        lag: z.record(z.string(), z.number()).optional(),
      }),
    )
    .optional(),
})
export type Readiness = z.infer<typeof readinessSchema>

/** One service in the admin's view of the whole. */
export const serviceHealthSchema = readinessSchema.omit({ status: true }).extend({
  name: z.enum(serviceNames),
  ready: z.boolean(),
})
export type ServiceHealth = z.infer<typeof serviceHealthSchema>

/** What the gateway answers itself. */
export const gatewayRoutes = {
  health: defineRoute({
    method: 'GET',
    path: '/admin/health',
    service: 'gateway',
    access: 'admin',
    summary: 'Every service and its engines, their state and lag',
    answer: z.object({ services: z.array(serviceHealthSchema) }),
  }),
}
