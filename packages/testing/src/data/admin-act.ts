import { type AdminAct, newId } from '@parley/kit'

/** An act of an admin with the id `admin`. */
export const adminAct = (): AdminAct => ({
  actorId: 'admin',
  requestId: 'request-of-a-test',
  eventId: newId(),
  at: new Date(),
})
