/** Names of this system's resources on brokers that others may use too. */
export type Names = ReturnType<typeof createNames>

/** Names under a prefix, which keeps systems on the same brokers apart. */
export function createNames(prefix: string) {
  const own = `${prefix}.`
  const letters = `${own}dead-letters.`
  return {
    /** Topic of a service's events. */
    eventTopic: (service: string) => own + service,
    isEventTopic: (topic: string) => topic.startsWith(own) && !topic.startsWith(letters),
    /** Topic of the events that a group could not handle. */
    letterTopic: (group: string) => letters + group,
    /** Consumer group of a subscription. */
    groupId: (group: string) => own + group,
    /** The subscription's group, or undefined for a group that is none. */
    groupOf: (groupId: string) => (groupId.startsWith(own) ? groupId.slice(own.length) : undefined),
    /** Consumer groups that look after dead letters; never those of a subscription. */
    replayId: (group: string) => `${prefix}:replay:${group}`,
    listId: (group: string, unique: string) => `${prefix}:list:${group}:${unique}`,
  }
}
