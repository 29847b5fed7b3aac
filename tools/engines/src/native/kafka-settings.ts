/** Where a Kafka of one node keeps its data and listens. */
export interface KafkaPlace {
  readonly data: string
  /** The broker's and the controller's, as `host:port`. */
  readonly listen: readonly [broker: string, controller: string]
  /** Where clients reach the broker, as `host:port`. */
  readonly advertised: string
}

/** Users who sign in, and where they do. Whoever comes to the broker's own address without a name may do everything. */
export interface KafkaUsers {
  /** As `host:port`. */
  readonly listen: string
  /** By name. */
  readonly passwords: Readonly<Record<string, string>>
  /** The name of the one who may do everything; the others may do what they are granted. */
  readonly administrator: string
}

/** The settings of a Kafka for tests: one node, broker and controller at once, that makes no topic unasked. */
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
  // A test that kills a consumer need not wait for long until its share moves.
  'group.min.session.timeout.ms': '1000',
  // A broker that was killed is let in again once its controller misses it.
  'broker.session.timeout.ms': '2000',
  'broker.heartbeat.interval.ms': '250',
  'num.network.threads': '2',
  'num.io.threads': '4',
  'log.cleaner.dedupe.buffer.size': '4194304',
  'log.index.size.max.bytes': '1048576',
})

/** The settings of the same Kafka with users. */
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
