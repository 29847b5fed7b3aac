import { groupsOf, publishers, type ServiceName, serviceNames, subscriptions } from '@parley/contracts'
import { createNames } from './names.ts'

/** Operations of Kafka's own; reading and writing include asking for what a thing is. */
export type KafkaOperation = 'READ' | 'WRITE' | 'DELETE'

/** What one service may do to one resource of the brokers, or with `isPrefix` to all whose names have this prefix. */
export interface KafkaRight {
  /** The user of the brokers, which has the service's name. */
  readonly service: ServiceName
  readonly resource: 'TOPIC' | 'GROUP'
  readonly name: string
  readonly isPrefix?: true
  readonly operations: readonly KafkaOperation[]
}

/**
 * The rights of all services: each appends to its own topic, reads the topics that its groups subscribe to, and keeps the dead letters of its groups.
 * None may create a topic.
 */
export const kafkaRights = (topicPrefix: string): readonly KafkaRight[] =>
  serviceNames.flatMap((service) => rightsOf(service, topicPrefix))

function rightsOf(service: ServiceName, topicPrefix: string): readonly KafkaRight[] {
  const names = createNames(topicPrefix)
  const groups = groupsOf(service)
  const heard = new Set<ServiceName>(groups.flatMap((group) => subscriptions[group]))
  const own: readonly KafkaRight[] = publishers().includes(service)
    ? [{ service, resource: 'TOPIC', name: names.eventTopic(service), operations: ['WRITE'] }]
    : []
  return [
    ...own,
    ...[...heard].map(
      (from): KafkaRight => ({ service, resource: 'TOPIC', name: names.eventTopic(from), operations: ['READ'] }),
    ),
    ...groups.flatMap((group): readonly KafkaRight[] => [
      { service, resource: 'TOPIC', name: names.letterTopic(group), operations: ['READ', 'WRITE', 'DELETE'] },
      { service, resource: 'GROUP', name: names.groupId(group), operations: ['READ'] },
      { service, resource: 'GROUP', name: names.replayId(group), operations: ['READ'] },
      { service, resource: 'GROUP', name: names.listId(group, ''), isPrefix: true, operations: ['READ', 'DELETE'] },
    ]),
  ]
}
