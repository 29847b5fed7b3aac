/** Names of this system's resources on brokers that others may use too. */
export interface Names {
  /** Topic of a service's events. */
  eventTopic(service: string): string
  isEventTopic(topic: string): boolean
  /** Topic of the events that a group could not handle. */
  letterTopic(group: string): string
  /** Consumer group of a subscription. */
  groupId(group: string): string
  /** The subscription's group, or undefined for a group that is none. */
  groupOf(groupId: string): string | undefined
  /** Consumer groups that look after dead letters; never those of a subscription. */
  replayId(group: string): string
  listId(group: string, unique: string): string
}

/** Names under a prefix, which keeps systems on the same brokers apart. */
export function createNames(prefix: string): Names {
  const own = `${prefix}.`
  const letters = `${own}dead-letters.`
  return {
    eventTopic: (service) => own + service,
    isEventTopic: (topic) => topic.startsWith(own) && !topic.startsWith(letters),
    letterTopic: (group) => letters + group,
    groupId: (group) => own + group,
    groupOf: (groupId) => (groupId.startsWith(own) ? groupId.slice(own.length) : undefined),
    replayId: (group) => `${prefix}:replay:${group}`,
    listId: (group, unique) => `${prefix}:list:${group}:${unique}`,
  }
}
