import { eventSchema, topicOf } from './events.ts'
import { type ServiceName, serviceNames } from './route.ts'

/** Every consumer group, `<service>.<purpose>`, and the services whose events it consumes. Broker rights are derived from it. */
export const subscriptions = {
  'auth.audit': ['billing', 'llm-router', 'notifier'],
  'auth.erasures': ['notifier'],
  'billing.accounts-and-settlements': ['auth', 'chat', 'llm-router'],
  'billing.data-exports': ['auth'],
  'billing.erasures': ['auth'],
  'chat.bans': ['auth'],
  'chat.data-exports': ['auth'],
  'chat.erasures': ['auth'],
  'llm-router.data-exports': ['auth'],
  'llm-router.erasures': ['auth'],
  'memory.answers': ['chat'],
  'memory.data-exports': ['auth'],
  'memory.erasures': ['auth'],
  'notifier.data-exports': ['auth'],
  'notifier.erasures': ['auth'],
  'notifier.mails': ['auth', 'billing'],
  'share.data-exports': ['auth'],
  'share.erasures': ['auth'],
} as const satisfies Readonly<Record<`${ServiceName}.${string}`, readonly ServiceName[]>>

/** A consumer group. */
export type ConsumerGroup = keyof typeof subscriptions

/** Every consumer group. */
export const consumerGroups = Object.keys(subscriptions) as ConsumerGroup[]

/** The consumer groups of one service. */
export const groupsOf = (service: ServiceName): readonly ConsumerGroup[] =>
  consumerGroups.filter((group) => group.startsWith(`${service}.`))

const subscribersOfAuth = (purpose: string): readonly ServiceName[] => {
  const sources: Readonly<Record<string, readonly ServiceName[]>> = subscriptions
  return serviceNames.filter((service) => sources[`${service}.${purpose}`]?.includes('auth'))
}
/** Services other than auth that store data of users: each erases it when an account is deleted, and acknowledges. */
export const erasingServices = subscribersOfAuth('erasures')
/** Services other than auth that contribute to a data export. */
export const exportingServices = subscribersOfAuth('data-exports')

/** The services that publish events, each on the topic of its name. */
export function publishers(): readonly ServiceName[] {
  const published = new Set<string>(eventSchema.options.map(({ shape }) => topicOf(shape.type.value)))
  return serviceNames.filter((service) => published.has(service))
}
