import { setTimeout as delay } from 'node:timers/promises'
import { consumerGroups, publishers } from '@parley/contracts'
import kafkajs, { type AclEntry, type Admin } from 'kafkajs'
import { createKafka, type KafkaConnection } from './connection.ts'
import { type KafkaRight, kafkaRights } from './kafka-rights.ts'
import { createNames } from './names.ts'
import { createReconnectingClient } from './reconnecting-client.ts'
import { createTopics, eventTopicPlan, letterTopicPlan, type TopicShape } from './topics.ts'

const requestTimeoutMs = 4_000
const topicsMs = 30_000
const rightsMs = 15_000
/** Between two looks at rights that have just been granted. */
const lookMs = 25

/** An administrator's connection to the brokers, and the topics and rights to create. */
export interface PrepareOptions extends KafkaConnection, TopicShape {
  /** Begins the names of topics and groups, as for `openKafkaBus`. */
  readonly topicPrefix: string
}

/**
 * Makes every topic, and grants each service what it needs and nothing else, to the user of its name. Again it adds what a newer version needs; it
 * takes nothing away, since an older version may still run beside it.
 * @throws when the brokers do not answer, or refuse
 */
export async function prepareBrokers(options: PrepareOptions): Promise<void> {
  const names = createNames(options.topicPrefix)
  const admin = createReconnectingClient(() => createKafka(options, requestTimeoutMs).admin())
  const plans = [
    ...publishers().map((service) => eventTopicPlan(names.eventTopic(service), options)),
    ...consumerGroups.map((group) => letterTopicPlan(names.letterTopic(group), options)),
  ]
  try {
    await createTopics(admin).ensure(plans, topicsMs)
    const acl = kafkaRights(options.topicPrefix).flatMap(entriesOf)
    await admin.use((client) => grant(client, acl), rightsMs)
  } finally {
    await admin.close()
  }
}

/** Resolves once the brokers know them: they learn of rights a moment after these are granted. */
async function grant(client: Admin, acl: AclEntry[]): Promise<void> {
  await client.createAcls({ acl })
  const missing = new Set(acl.map(keyOf))
  for (;;) {
    for (const entry of await readEntries(client)) missing.delete(keyOf(entry))
    if (missing.size === 0) return
    await delay(lookMs)
  }
}

const keyOf = ({ principal, resourceType, resourceName, operation }: AclEntry): string =>
  [principal, resourceType, resourceName, operation].join(' ')

async function readEntries(client: Admin): Promise<AclEntry[]> {
  const { resources } = await client.describeAcls({
    resourceType: kafkajs.AclResourceTypes.ANY,
    resourcePatternType: kafkajs.ResourcePatternTypes.ANY,
    operation: kafkajs.AclOperationTypes.ANY,
    permissionType: kafkajs.AclPermissionTypes.ANY,
  })
  return resources.flatMap(({ acls, ...resource }) => acls.map((entry) => ({ ...resource, ...entry })))
}

const entriesOf = ({ service, resource, name, isPrefix, operations }: KafkaRight): AclEntry[] =>
  operations.map((operation) => ({
    principal: `User:${service}`,
    host: '*',
    resourceType: kafkajs.AclResourceTypes[resource],
    resourceName: name,
    resourcePatternType: kafkajs.ResourcePatternTypes[isPrefix ? 'PREFIXED' : 'LITERAL'],
    operation: kafkajs.AclOperationTypes[operation],
    permissionType: kafkajs.AclPermissionTypes.ALLOW,
  }))
