/** The data folder and addresses of a single-node Kafka. */
export interface KafkaPlace {
  readonly data: string
  /** `host:port` of broker and controller. */
  readonly listen: readonly [broker: string, controller: string]
  /** The broker's advertised `host:port`. */
  readonly advertised: string
}

/** Users and the address where they authenticate. Anonymous clients of the broker's own address have all rights. */
export interface KafkaUsers {
  /** `host:port`. */
  readonly listen: string
  /** Passwords by user name. */
  readonly passwords: Readonly<Record<string, string>>
  /** The superuser; the others only have granted rights. */
  readonly administrator: string
}

/** Settings of a Kafka for tests: a single node, both broker and controller, without automatic topic creation. */
export const kafkaSettings = ({ data, listen, advertised }: KafkaPlace): Readonly<Record<string, string>> => ({
  'process.roles': 'broker,controller',
  'node.id': '1',
  'controller.quorum.voters': `1@${listen[1]}`,
  listeners: `PLAINTEXT://${listen[0]},CONTROLLER://${listen[1]}`,
  'advertised.listeners': `PLAINTEXT://${advertised}`,
  'controller.listener.names': 'CONTROLLER',
  'inter.broker.listener.name': 'PLAINTEXT',
  'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
  'log.dirs': data,
  'auto.create.topics.enable': 'false',
  'offsets.topic.replication.factor': '1',
  'offsets.topic.num.partitions': '4',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.num.partitions': '4',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  // Short, so that partitions of a killed consumer move quickly.
  'group.min.session.timeout.ms': '1000',
  // Short, since a killed broker may only rejoin once its former session has expired.
  'broker.session.timeout.ms': '2000',
  'broker.heartbeat.interval.ms': '500',
  // No records of a controller that has nothing to say, by default two a second.
  'metadata.max.idle.interval.ms': '0',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'log.cleaner.dedupe.buffer.size': '4194304',
  'log.index.size.max.bytes': '1048576',
})

/** Settings of the same Kafka with users. */
export function settingsWithUsers(
  settings: Readonly<Record<string, string>>,
  { listen, passwords, administrator }: KafkaUsers,
): Readonly<Record<string, string>> {
  const entries = Object.entries(passwords).map(([name, password]) => `user_${name}="${password}"`)
  return {
    ...settings,
    listeners: `${settings.listeners},SERVICES://${listen}`,
    'advertised.listeners': `${settings['advertised.listeners']},SERVICES://${listen}`,
    'listener.security.protocol.map': `${settings['listener.security.protocol.map']},SERVICES:SASL_PLAINTEXT`,
    'sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.services.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required ${entries.join(' ')};`,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:${administrator};User:ANONYMOUS`,
  }
}
