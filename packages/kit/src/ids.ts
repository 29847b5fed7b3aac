import { randomUUID } from 'node:crypto'

/** Makes ids; handed to services so that tests can fix them. */
export type NewId = () => string

/** A random UUID, 122 random bits, as 32 hexadecimal digits: unguessable, safe in URLs, file names and SQL. */
export const newId: NewId = () => randomUUID().replaceAll('-', '')

/** The current time; handed to services so that tests can fix it. */
export type Clock = () => Date

/** The machine's clock. */
export const systemClock: Clock = () => new Date()
