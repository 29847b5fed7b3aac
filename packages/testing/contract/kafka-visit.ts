import { eventOf } from '@parley/bus'
import { newId } from '@parley/kit'
import { openKafkaReplica } from './kafka-engine.ts'

/** Uses every part of the bus once, for a test of this process's output and exit. */
const bus = await openKafkaReplica(process.argv[2] ?? '')
const handled = Promise.withResolvers<void>()
const handlers = { 'auth.user-banned': async () => handled.resolve() }
const end = await bus.subscribe({ group: 'test.visit', handlers })
await bus.publish([eventOf('auth.user-banned', 'u', { userId: 'u' }, { id: newId(), at: new Date() })])
await handled.promise
await bus.health()
await bus.deadLetters('test.visit')
await bus.replayDeadLetters({ group: 'test.visit', handlers })
await end()
await bus.close()
// The IPC channel would keep this process alive.
process.disconnect?.()
