import { auth } from '@parley/auth'
import { billing } from '@parley/billing'
import { chat } from '@parley/chat'
import type { ServiceName } from '@parley/contracts'
import { gateway } from '@parley/gateway'
import type { ServiceDefinition } from '@parley/kit'
import { llmRouter } from '@parley/llm-router'
import { memory } from '@parley/memory'
import { notifier } from '@parley/notifier'
import { realtime } from '@parley/realtime'
import { share } from '@parley/share'

/** All services by name: everything that starts, deploys or operates all of them uses this list. */
export const services: Readonly<Record<ServiceName, ServiceDefinition>> = {
  auth,
  billing,
  chat,
  gateway,
  'llm-router': llmRouter,
  memory,
  notifier,
  realtime,
  share,
}

/** The services, unordered. */
export const allServices: readonly ServiceDefinition[] = Object.values(services)
